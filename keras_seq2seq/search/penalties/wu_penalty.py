import keras

from keras_seq2seq.search.penalties.length_penalty import LengthPenalty
from keras_seq2seq.utils.checks import check_number


@keras.saving.register_keras_serializable("keras_seq2seq")
class WuPenalty(LengthPenalty):
    """`log P(Y) / lp(Y)`, `lp(Y) = (5 + |Y|)^alpha / (5 + 1)^alpha`.

    `|Y|` is the length, including the end token.

    Args:
        alpha: Float. `0` is no penalty; higher values favor longer hypotheses.
            Defaults to `0.6`.

    Example:

    >>> penalty = k2s.search.penalties.WuPenalty(alpha=1.0)
    >>> search = k2s.search.BeamSearch(length_penalty=penalty)

    References:
        - [Wu et al., 2016](https://arxiv.org/abs/1609.08144), eq. 14
    """

    def __init__(self, alpha=0.6):
        self.alpha = check_number(alpha, "alpha")

    def __call__(self, log_probs, length, inputs):
        return log_probs / ((5.0 + length) / 6.0) ** self.alpha

    def get_config(self):
        return {"alpha": self.alpha}
