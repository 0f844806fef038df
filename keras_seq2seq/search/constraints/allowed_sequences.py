import keras
from keras import ops

from keras_seq2seq.ops import vocabulary_mask
from keras_seq2seq.search.constraints.constraint import Constraint
from keras_seq2seq.search.constraints.token_lists import check_sequences
from keras_seq2seq.search.constraints.token_lists import check_vocabulary
from keras_seq2seq.search.constraints.trie import Trie
from keras_seq2seq.search.special import IMPOSSIBLE


@keras.saving.register_keras_serializable("keras_seq2seq")
class AllowedSequences(Constraint):
    """Restricts hypotheses to a list of token sequences.

    The sequences are stored as a trie. At each step only tokens that continue a
    sequence are allowed, and the end token only after a complete sequence.

    Args:
        sequences: List of lists of integers, without the end token. The longest
            one and the end token must fit into the search's `max_length`.

    Call arguments:
        state: Dict of `node`, integers of shape `(rows, 1)`: the trie's node,
            or -1 for a hypothesis that is not in the trie.

    Example:

    >>> allowed = k2s.search.constraints.AllowedSequences([[4], [4, 5]])
    >>> search = k2s.search.BeamSearch(max_length=3, constraints=[allowed])
    """

    def __init__(self, sequences):
        self.sequences = check_sequences(sequences, "sequences", 0)
        self._trie = Trie(self.sequences)

    def first_state(self, rows, max_length):
        longest = max(map(len, self.sequences))
        if longest + 1 > max_length:
            raise ValueError(
                "`max_length` must fit the longest of `sequences` and the "
                f"end token. Received: max_length={max_length}, a sequence of "
                f"{longest} tokens"
            )
        return {"node": ops.zeros((rows, 1), "int32")}

    def __call__(self, log_probs, state, context):
        size = log_probs.shape[-1]
        check_vocabulary(self._trie.tokens.tolist(), "sequences", size)
        _, tokens, real = self._edges(state["node"])
        allowed = vocabulary_mask(tokens, real, size)
        node = state["node"]
        whole = ops.take(self._trie.is_whole, ops.maximum(node, 0))
        is_end = ops.arange(size, dtype="int32") == context.end_token_id
        allowed = allowed | (is_end & whole & (node >= 0))
        return ops.where(allowed, log_probs, IMPOSSIBLE)

    def next_state(self, state, token_ids, index):
        edges, tokens, real = self._edges(state["node"])
        taken = real & (tokens == ops.expand_dims(token_ids, 1))
        # Edge e leads to node e + 1.
        node = ops.max(ops.where(taken, edges + 1, -1), axis=1, keepdims=True)
        return {"node": node}

    def _edges(self, node):
        """Edges from `node`, their tokens, and which of them exist."""
        trie, at = self._trie, ops.maximum(node, 0)
        first, count = ops.take(trie.first, at), ops.take(trie.count, at)
        window = ops.arange(trie.widest, dtype="int32")
        real = (window < count) & (node >= 0)
        edges = ops.where(real, first + window, 0)  # (rows, widest)
        return edges, ops.take(trie.tokens, edges), real

    def get_config(self):
        return {"sequences": self.sequences}
