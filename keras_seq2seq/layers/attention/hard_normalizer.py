import keras
from keras import ops

from keras_seq2seq.layers.attention.attention_normalizer import (
    AttentionNormalizer,
)
from keras_seq2seq.ops import gumbel
from keras_seq2seq.ops import hard_weights
from keras_seq2seq.ops import over_queries


@keras.saving.register_keras_serializable("keras_seq2seq")
class HardNormalizer(AttentionNormalizer):
    """Stochastic hard attention: one position of the memory at a time.

    In training, a position is sampled with probability `softmax(energies)`,
    with Gumbel noise that `draw_noise` draws before the loop. At inference, or
    without noise, it is the position with the highest energy. The weights are
    one-hot. Positions where `value_mask` is `False` are never chosen; a row
    that is fully masked gives zeros.

    Sampling has no gradient, so the context passes none to the energies.
    Instead, the returned weight of the sampled position, which is 1, carries
    the gradient of its log-probability. `ScoreFunctionLoss` uses it to train
    the score.

    Call arguments:
        energies: Float tensor of shape `(batch_size, Tq, Tv)`.
        value_mask: Boolean tensor of shape `(batch_size, Tv)`, or
            `(batch_size, Tq, Tv)`, `True` at real positions, or `None`.
        noise: Float tensor of shape `(batch_size, Tq, Tv)`, from `draw_noise`.
        training: Boolean.

    Returns:
        Float tensor of shape `(batch_size, Tq, Tv)`.

    Example:

    >>> normalizer = k2s.layers.HardNormalizer()
    >>> energies = keras.ops.array([[[0.5, 1.0, -1.0]]])
    >>> print(keras.ops.convert_to_numpy(normalizer(energies)))
    [[[0. 1. 0.]]]

    References:
        - [Xu et al., 2015](https://arxiv.org/abs/1502.03044), section 4.1
    """

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.seed_generator = keras.random.SeedGenerator()

    def draw_noise(self, shape):
        uniform = keras.random.uniform(
            shape, dtype="float32", seed=self.seed_generator
        )
        return ops.cast(gumbel(uniform), self.compute_dtype)

    def call(
        self, energies, value_mask=None, state=None, noise=None, training=False
    ):
        noise = noise if training else None
        return hard_weights(energies, over_queries(value_mask), noise)

    def for_context(self, weights):
        return ops.stop_gradient(weights)
