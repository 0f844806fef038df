import keras
from keras import ops

from keras_seq2seq.layers.attention.attention_score import AttentionScore
from keras_seq2seq.ops import product
from keras_seq2seq.utils.sizes import check_dimension


@keras.saving.register_keras_serializable("keras_seq2seq")
class AdditiveScore(AttentionScore):
    """Additive score, also known as Bahdanau attention.

    `energy = v_a^T tanh(W_a query + U_a value + b)` with
    `keys = U_a value + b`; the paper has no `b`. With `normalize`,
    `g v_a / ||v_a||` replaces `v_a`, with a learned scalar `g` initialized to
    `1 / sqrt(units)`. Masks are applied later, in `AttentionMechanism`.

    Args:
        units: Integer. Width of the hidden layer. Defaults to `None`, the
            width of the query.
        normalize: Boolean. Weight normalization. Defaults to `False`.
        use_bias: Boolean. Whether to add `b`. Defaults to `True`.

    Call arguments:
        query: Float tensor of shape `(batch_size, Tq, query_dim)`.
        value: Float tensor of shape `(batch_size, Tv, value_dim)`.
        keys: Float tensor of shape `(batch_size, Tv, units)`, optional.

    Returns:
        Float tensor of shape `(batch_size, Tq, Tv)`.

    Example:

    >>> score = k2s.layers.AdditiveScore(units=8)
    >>> tuple(score(np.ones((2, 3, 4)), np.ones((2, 5, 6))).shape)
    (2, 3, 5)

    References:
        - [Bahdanau et al., 2015](https://arxiv.org/abs/1409.0473), A.1.2
        - [Salimans & Kingma, 2016](https://arxiv.org/abs/1602.07868), eq. 2
    """

    aliases = {
        "bahdanau": {},
        "normed_bahdanau": {"normalize": True},
    }

    def __init__(self, units=None, *, normalize=False, use_bias=True, **kwargs):
        super().__init__(**kwargs)
        if units is not None:
            units = check_dimension(units, "units")
        self.units = units
        self.normalize = normalize
        self.use_bias = use_bias

    def build(self, query_shape, value_shape):
        units = self.units or query_shape[-1]
        self.query_kernel = self.add_weight(
            shape=(query_shape[-1], units), name="query_kernel"
        )
        self.value_kernel = self.add_weight(
            shape=(value_shape[-1], units), name="value_kernel"
        )
        self.bias = None
        if self.use_bias:
            self.bias = self.add_weight(
                shape=(units,), initializer="zeros", name="bias"
            )
        self.energy_kernel = self.add_weight(
            shape=(units, 1), name="energy_kernel"
        )

        if self.normalize:
            self.gain = self.add_weight(
                shape=(),
                initializer=keras.initializers.Constant(units**-0.5),
                name="gain",
            )

    def project_keys(self, value):
        keys = product(value, self.value_kernel)
        return keys if self.bias is None else keys + self.bias

    def hidden(self, query, keys):
        """Argument of the tanh, of shape `(batch_size, Tq, Tv, units)`."""
        query = ops.expand_dims(product(query, self.query_kernel), 2)
        return query + ops.expand_dims(keys, 1)

    def energies_of(self, hidden):
        """`(batch_size, Tq, Tv, units)` -> `(batch_size, Tq, Tv)`."""
        kernel = ops.convert_to_tensor(self.energy_kernel)
        if self.normalize:
            square = ops.sum(ops.square(ops.cast(kernel, "float32")))
            kernel = (
                kernel * self.gain * ops.cast(ops.rsqrt(square), kernel.dtype)
            )
        return ops.squeeze(product(ops.tanh(hidden), kernel), -1)

    def energies(self, query, keys):
        return self.energies_of(self.hidden(query, keys))

    def get_config(self):
        return {
            **super().get_config(),
            "units": self.units,
            "normalize": self.normalize,
            "use_bias": self.use_bias,
        }
