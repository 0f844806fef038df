import keras
from keras import ops

from keras_seq2seq.layers.attention.attention_score import AttentionScore
from keras_seq2seq.utils.checks import check_integer


@keras.saving.register_keras_serializable("keras_seq2seq")
class AdditiveScore(AttentionScore):
    """Additive score, also known as Bahdanau attention or "concat".

    `energy = v^T tanh(U query + W value + b)` with `keys = W value + b`. The
    masks act later, in `AttentionMechanism`.

    Args:
        units: Integer. Width of the hidden layer. Defaults to `None`, the
            width of the query.

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
    """

    def __init__(self, units=None, **kwargs):
        super().__init__(**kwargs)
        if units is not None:
            units = check_integer(units, "units", 1)
        self.units = units

    def build(self, query_shape, value_shape, keys_shape=None):
        units = self.units or query_shape[-1]
        self.query_kernel = self.add_weight(
            shape=(query_shape[-1], units), name="query_kernel"
        )
        self.value_kernel = self.add_weight(
            shape=(value_shape[-1], units), name="value_kernel"
        )
        self.bias = self.add_weight(
            shape=(units,), initializer="zeros", name="bias"
        )
        self.energy_kernel = self.add_weight(
            shape=(units, 1), name="energy_kernel"
        )

    def project_keys(self, value):
        return ops.matmul(value, self.value_kernel) + self.bias

    def energies(self, query, keys):
        query = ops.expand_dims(ops.matmul(query, self.query_kernel), 2)
        hidden = ops.tanh(query + ops.expand_dims(keys, 1))
        # (batch_size, Tq, Tv, units) -> (batch_size, Tq, Tv)
        return ops.squeeze(ops.matmul(hidden, self.energy_kernel), -1)

    def get_config(self):
        return {**super().get_config(), "units": self.units}
