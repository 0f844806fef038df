import keras
import numpy as np
from keras import ops

from keras_seq2seq.search.constraints.ban import Ban
from keras_seq2seq.search.constraints.token_lists import check_token_ids
from keras_seq2seq.search.constraints.token_lists import check_vocabulary
from keras_seq2seq.search.special import IMPOSSIBLE


@keras.saving.register_keras_serializable("keras_seq2seq")
class BannedTokens(Ban):
    """Bans tokens.

    Args:
        token_ids: List of integers. If it includes the end token, each
            hypothesis is cut at `max_length`. Defaults to `()`.

    Example:

    >>> banned = k2s.search.constraints.BannedTokens([3])
    >>> search = k2s.search.GreedySearch(constraints=[banned])
    """

    def __init__(self, token_ids=()):
        self.token_ids = check_token_ids(token_ids, "token_ids")

    def __call__(self, log_probs, state, context):
        size = log_probs.shape[-1]
        check_vocabulary(self.token_ids, "token_ids", size)
        banned = np.isin(np.arange(size), self.token_ids)
        return ops.where(ops.array(banned), IMPOSSIBLE, log_probs)

    def get_config(self):
        return {"token_ids": self.token_ids}
