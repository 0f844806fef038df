import numpy as np


class Trie:
    """Trie of token sequences, stored as flat arrays of edges.

    Nodes are numbered in breadth-first order from the root, 0. So the edges of
    a node are adjacent, and edge `e` leads to node `e + 1`.

    Args:
        sequences: List of lists of integers.

    Attributes:
        tokens: Integers `(edges,)`. The token of each edge, or a single 0 if
            there are no edges.
        first, count: Integers `(nodes,)`. The first edge of each node, and the
            number of its edges.
        is_whole: Booleans `(nodes,)`. Whether a sequence ends at the node.
        widest: Integer. The largest number of edges of a node, at least 1.
    """

    def __init__(self, sequences):
        tokens, first, count, is_whole = [], [], [], []
        level = [(0, sorted(set(map(tuple, sequences))))]
        while level:
            below = []
            for depth, group in level:
                children = {}
                for sequence in group:
                    if len(sequence) > depth:
                        children.setdefault(sequence[depth], []).append(
                            sequence
                        )
                first.append(len(tokens))
                count.append(len(children))
                is_whole.append(any(len(s) == depth for s in group))
                tokens.extend(children)
                below.extend((depth + 1, g) for g in children.values())
            level = below
        self.tokens = np.array(tokens or [0], "int32")
        self.first = np.array(first, "int32")
        self.count = np.array(count, "int32")
        self.is_whole = np.array(is_whole, "bool")
        self.widest = max(1, max(count))
