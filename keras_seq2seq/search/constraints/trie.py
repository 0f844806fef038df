import numpy as np


class Trie:
    """Token sequences as flat arrays of a tree's edges.

    Nodes are numbered in breadth-first order, 0 the root, so that the edges
    from one node lie side by side and edge `e` leads to node `e + 1`.

    Args:
        sequences: List of lists of integers.

    Attributes:
        tokens: Integers `(edges,)`, the token of each edge; one entry without
            a meaning where there is no edge.
        first, count: Integers `(nodes,)`, the edges from each node.
        is_whole: Booleans `(nodes,)`, whether a sequence ends there.
        widest: Integer, the most edges from one node, at least 1.
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
