import keras
from keras import ops

from keras_seq2seq.search.penalties.coverage import Coverage


@keras.saving.register_keras_serializable("keras_seq2seq")
class SummaryCoverage(Coverage):
    """`-beta (-n + sum_i max(1, sum_j a_i^j))`: penalizes repeated attention.

    The sum is over the `n` real positions `i` of the memory; `a_i^j` is the
    attention score of position `i` at token `j`. In the paper it is a cost,
    with the opposite sign.

    Args:
        beta: Float of at least 0. The weight. Defaults to `0.2`.

    Example:

    >>> search = k2s.search.BeamSearch(coverage_penalty="summary")

    References:
        - [Gehrmann et al., 2018](https://arxiv.org/abs/1808.10792), section 5
    """

    def __call__(self, attended, mask):
        excess = ops.maximum(attended - 1.0, 0.0)
        return -self.beta * ops.sum(ops.where(mask, excess, 0.0), axis=-1)
