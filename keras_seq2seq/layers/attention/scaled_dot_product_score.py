import keras
from keras import ops

from keras_seq2seq.layers.attention.attention_score import AttentionScore
from keras_seq2seq.ops import product
from keras_seq2seq.utils.checks import check_integer


@keras.saving.register_keras_serializable("keras_seq2seq")
class ScaledDotProductScore(AttentionScore):
    """Scaled dot product of projections.

    `energy = f(query W^Q) f(value W^K)^T / sqrt(units)` with
    `keys = f(value W^K)`; query and value are rows, as in the paper, and
    `units` is its `d_k`. The masks act later, in `AttentionMechanism`.

    Args:
        units: Integer. Width of the projections. Defaults to `None`, the
            width of the query.
        activation: Name or callable, `f`. Defaults to `None`, the identity.

    Call arguments:
        query: Float tensor of shape `(batch_size, Tq, query_dim)`.
        value: Float tensor of shape `(batch_size, Tv, value_dim)`.
        keys: Float tensor of shape `(batch_size, Tv, units)`, optional.

    Returns:
        Float tensor of shape `(batch_size, Tq, Tv)`.

    Example:

    >>> score = k2s.layers.ScaledDotProductScore(units=8)
    >>> tuple(score(np.ones((2, 3, 4)), np.ones((2, 5, 6))).shape)
    (2, 3, 5)

    References:
        - [Vaswani et al., 2017](https://arxiv.org/abs/1706.03762), eq. 1
          and section 3.2.2
    """

    def __init__(self, units=None, activation=None, **kwargs):
        super().__init__(**kwargs)
        if units is not None:
            units = check_integer(units, "units", 1)
        self.units = units
        self.activation = keras.activations.get(activation)

    def build(self, query_shape, value_shape):
        units = self.units or query_shape[-1]
        self.query_kernel = self.add_weight(
            shape=(query_shape[-1], units), name="query_kernel"
        )
        self.value_kernel = self.add_weight(
            shape=(value_shape[-1], units), name="value_kernel"
        )

    def project_keys(self, value):
        return self.activation(product(value, self.value_kernel))

    def energies(self, query, keys):
        query = self.activation(product(query, self.query_kernel))
        # Scaled first, so that half precision stays finite.
        query = query * keys.shape[-1] ** -0.5
        return ops.matmul(query, ops.swapaxes(keys, 1, 2))

    def get_config(self):
        return {
            **super().get_config(),
            "units": self.units,
            "activation": keras.activations.serialize(self.activation),
        }
