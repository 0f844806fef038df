import keras
from keras import ops

from keras_seq2seq.search.penalties.coverage import Coverage


@keras.saving.register_keras_serializable("keras_seq2seq")
class SummaryCoverage(Coverage):
    """`-beta * sum_i max(attended_i - 1, 0)`: no place is attended to twice.

    Over the real places `i` of the memory.

    Args:
        beta: Float of at least 0. The weight. Defaults to `0.2`.

    Call arguments:
        attended: Float32 tensor of shape `(rows, Tv)`.
        mask: Boolean tensor of shape `(rows, Tv)`, `True` at real places.

    Returns:
        Float32 tensor of shape `(rows,)`.

    Example:

    >>> search = k2s.search.BeamSearch(coverage_penalty="summary")

    References:
        - [Gehrmann et al., 2018](https://arxiv.org/abs/1808.10792), section
          4.2
    """

    def __call__(self, attended, mask):
        excess = ops.maximum(attended - 1.0, 0.0)
        return -self.beta * ops.sum(ops.where(mask, excess, 0.0), axis=-1)
