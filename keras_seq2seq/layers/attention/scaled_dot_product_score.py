import keras
from keras import ops

from keras_seq2seq.layers.attention.attention_score import AttentionScore
from keras_seq2seq.ops import product
from keras_seq2seq.utils.sizes import check_dimension


@keras.saving.register_keras_serializable("keras_seq2seq")
class ScaledDotProductScore(AttentionScore):
    """Dot product of projected query and value, scaled by default.

    `energy = f(query W^Q) f(value W^K)^T / sqrt(units)` with
    `keys = f(value W^K)`. Query and value are rows, as in the paper, and
    `units` is its `d_k`. `use_scale=False` leaves out the division. A
    projection may have several layers, each followed by `f`: with two,
    `keys = f(f(value W^K_1) W^K_2)`. Masks are applied later, in
    `AttentionMechanism`.

    Args:
        units: Integer, or a list of integers, one for each layer. Width of the
            projections. Defaults to `None`, the width of the query.
        activation: Name or callable, `f`. Defaults to `None`, the identity.
        use_scale: Boolean. Whether to divide the energies by the square root of
            the last width. Defaults to `True`.

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

    def __init__(
        self, units=None, activation=None, *, use_scale=True, **kwargs
    ):
        super().__init__(**kwargs)
        self.units = _check_units(units)
        self.activation = keras.activations.get(activation)
        self.use_scale = use_scale

    def build(self, query_shape, value_shape):
        units = self.units or query_shape[-1]
        units = units if isinstance(units, list) else [units]
        self.query_kernels, self.value_kernels = [], []
        query_dim, value_dim = query_shape[-1], value_shape[-1]
        for index, width in enumerate(units):
            number = f"_{index}" if index else ""
            for kernels, dim, name in (
                (self.query_kernels, query_dim, "query_kernel"),
                (self.value_kernels, value_dim, "value_kernel"),
            ):
                kernels.append(
                    self.add_weight(shape=(dim, width), name=name + number)
                )
            query_dim = value_dim = width

    def _project(self, x, kernels):
        for kernel in kernels:
            x = self.activation(product(x, kernel))
        return x

    def project_keys(self, value):
        return self._project(value, self.value_kernels)

    def energies(self, query, keys):
        query = self._project(query, self.query_kernels)
        if self.use_scale:
            # Scaled first, so that half precision stays finite.
            query = query * keys.shape[-1] ** -0.5
        return ops.matmul(query, ops.swapaxes(keys, 1, 2))

    def get_config(self):
        return {
            **super().get_config(),
            "units": self.units,
            "activation": keras.activations.serialize(self.activation),
            "use_scale": self.use_scale,
        }


def _check_units(units):
    if units is None:
        return None
    if isinstance(units, (list, tuple)) and units:
        return [check_dimension(width, "units") for width in units]
    return check_dimension(units, "units")
