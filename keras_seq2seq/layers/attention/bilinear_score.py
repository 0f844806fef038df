import keras
from keras import ops

from keras_seq2seq.layers.attention.attention_score import AttentionScore
from keras_seq2seq.ops import product


@keras.saving.register_keras_serializable("keras_seq2seq")
class BilinearScore(AttentionScore):
    """Bilinear score, also known as multiplicative or Luong's "general".

    `energy = g query^T W_a value` with `keys = W_a value`. `g` is 1, or a
    learned scalar initialized to 1. Masks are applied later, in
    `AttentionMechanism`.

    Args:
        use_scale: Boolean. Whether to learn `g`. Defaults to `False`.

    Call arguments:
        query: Float tensor of shape `(batch_size, Tq, query_dim)`.
        value: Float tensor of shape `(batch_size, Tv, value_dim)`.
        keys: Float tensor of shape `(batch_size, Tv, query_dim)`, optional.

    Returns:
        Float tensor of shape `(batch_size, Tq, Tv)`.

    Example:

    >>> score = k2s.layers.BilinearScore()
    >>> tuple(score(np.ones((2, 3, 4)), np.ones((2, 5, 6))).shape)
    (2, 3, 5)

    References:
        - [Luong et al., 2015](https://arxiv.org/abs/1508.04025), section 3.1
    """

    aliases = {"general": {}, "luong": {}, "scaled_luong": {"use_scale": True}}

    def __init__(self, use_scale=False, **kwargs):
        super().__init__(**kwargs)
        self.use_scale = use_scale

    def build(self, query_shape, value_shape):
        self.kernel = self.add_weight(
            shape=(value_shape[-1], query_shape[-1]), name="kernel"
        )
        if self.use_scale:
            self.scale = self.add_weight(
                shape=(), initializer="ones", name="scale"
            )

    def project_keys(self, value):
        return product(value, self.kernel)

    def energies(self, query, keys):
        energies = ops.matmul(query, ops.swapaxes(keys, 1, 2))
        return self.scale * energies if self.use_scale else energies

    def get_config(self):
        return {**super().get_config(), "use_scale": self.use_scale}
