import keras
from keras import ops

from keras_seq2seq.search.penalties.coverage import Coverage

NEVER = 1e-6


@keras.saving.register_keras_serializable("keras_seq2seq")
class WuCoverage(Coverage):
    """`beta sum_i log(min(sum_j p_ij, 1))`: penalizes missing attention.

    The sum is over the real positions `i` of the memory; `p_ij` is the
    attention score of position `i` at token `j`. The inner sum is at least
    `1e-6`, so that the penalty is finite.

    Args:
        beta: Float of at least 0. The weight. Defaults to `0.2`.

    Example:

    >>> search = k2s.search.BeamSearch(coverage_penalty="wu")

    References:
        - [Wu et al., 2016](https://arxiv.org/abs/1609.08144), eq. 14
    """

    def __call__(self, attended, mask):
        logs = ops.log(ops.clip(attended, NEVER, 1.0))
        return self.beta * ops.sum(ops.where(mask, logs, 0.0), axis=-1)
