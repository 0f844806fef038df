import keras
from keras import ops

from keras_seq2seq.layers.attention.attention_score import AttentionScore


@keras.saving.register_keras_serializable("keras_seq2seq")
class DotProductScore(AttentionScore):
    """Dot product of query and value, Luong's "dot".

    `energy = g query^T value` with `keys = value`. `g` is 1, or a learned
    scalar initialized to 1. Query and value must have the same width. Masks are
    applied later, in `AttentionMechanism`.

    Args:
        use_scale: Boolean. Whether to learn `g`. Defaults to `False`.

    Call arguments:
        query: Float tensor of shape `(batch_size, Tq, dim)`.
        value: Float tensor of shape `(batch_size, Tv, dim)`.
        keys: Float tensor of shape `(batch_size, Tv, dim)`, optional.

    Returns:
        Float tensor of shape `(batch_size, Tq, Tv)`.

    Example:

    >>> score = k2s.layers.DotProductScore()
    >>> tuple(score(np.ones((2, 3, 4)), np.ones((2, 5, 4))).shape)
    (2, 3, 5)

    References:
        - [Luong et al., 2015](https://arxiv.org/abs/1508.04025), section 3.1
    """

    aliases = {"dot": {}}

    def __init__(self, use_scale=False, **kwargs):
        super().__init__(**kwargs)
        self.use_scale = use_scale

    def build(self, query_shape, value_shape):
        if query_shape[-1] != value_shape[-1]:
            raise ValueError(
                "A dot product needs a query and a value of the same width. "
                f"Received: query of width {query_shape[-1]}, value of width "
                f"{value_shape[-1]}. Change the units of the decoder's cell or "
                "of the encoder, or use score='bilinear' or "
                "score='scaled_dot_product', which take any widths."
            )
        if self.use_scale:
            self.scale = self.add_weight(
                shape=(), initializer="ones", name="scale"
            )

    def project_keys(self, value):
        return value

    def energies(self, query, keys):
        energies = ops.matmul(query, ops.swapaxes(keys, 1, 2))
        return self.scale * energies if self.use_scale else energies

    def get_config(self):
        return {**super().get_config(), "use_scale": self.use_scale}
