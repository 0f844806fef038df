import keras
import numpy as np
from keras import ops

from keras_seq2seq.ops import vocabulary_mask
from keras_seq2seq.search.constraints.ban import Ban
from keras_seq2seq.search.constraints.history import NOTHING
from keras_seq2seq.search.constraints.history import empty_history
from keras_seq2seq.search.constraints.token_lists import check_sequences
from keras_seq2seq.search.constraints.token_lists import check_vocabulary
from keras_seq2seq.search.special import IMPOSSIBLE


@keras.saving.register_keras_serializable("keras_seq2seq")
class BannedSequences(Ban):
    """Bans sequences of tokens anywhere in a hypothesis.

    The last token of a sequence is banned if the hypothesis ends with the
    tokens before it.

    Args:
        sequences: List of lists of integers, each with at least one token.

    Call arguments:
        state: Dict of `latest`, integers of shape `(rows, longest - 1)`: the
            latest tokens, the last one at the end.

    Example:

    >>> banned = k2s.search.constraints.BannedSequences([[4, 5], [6]])
    >>> search = k2s.search.BeamSearch(constraints=[banned])
    """

    def __init__(self, sequences):
        self.sequences = check_sequences(sequences, "sequences", 1)

    @property
    def _before(self):
        """Tokens before the last: `(sequences, longest - 1)`, right-aligned."""
        longest = max(map(len, self.sequences))
        table = np.full((len(self.sequences), longest - 1), NOTHING, "int32")
        for row, (*before, _) in zip(table, self.sequences):
            row[len(row) - len(before) :] = before
        return table

    def first_state(self, rows, max_length):
        longest = max(map(len, self.sequences))
        return {"latest": empty_history(rows, longest - 1)}

    def __call__(self, log_probs, state, context):
        size = log_probs.shape[-1]
        check_vocabulary(sum(self.sequences, []), "sequences", size)
        before, latest = ops.array(self._before), state["latest"]
        # (rows, sequences, longest - 1); padding matches any token
        same = ops.expand_dims(latest, 1) == ops.expand_dims(before, 0)
        matches = ops.all(same | (before == NOTHING), axis=-1)
        last = np.array([s[-1] for s in self.sequences], "int32")
        last = ops.broadcast_to(last, ops.shape(matches))
        banned = vocabulary_mask(last, matches, size)
        return ops.where(banned, IMPOSSIBLE, log_probs)

    def next_state(self, state, token_ids, index):
        latest = ops.concatenate(
            [state["latest"], ops.expand_dims(token_ids, 1)], axis=1
        )
        return {"latest": latest[:, 1:]}

    def get_config(self):
        return {"sequences": self.sequences}
