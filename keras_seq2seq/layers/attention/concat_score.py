import keras
from keras import ops

from keras_seq2seq.layers.attention.attention_score import AttentionScore
from keras_seq2seq.ops import product
from keras_seq2seq.utils.sizes import check_dimension


@keras.saving.register_keras_serializable("keras_seq2seq")
class ConcatScore(AttentionScore):
    """A hidden layer over the concatenated query and value, Luong's "concat".

    `energy = v_a^T f(W_a [query; value])`. The keys are the value's share of
    the product, and the first rows of the weight `kernel` belong to the value.
    There is no bias; `AdditiveScore` has one. Masks are applied later, in
    `AttentionMechanism`.

    Args:
        units: Integer. Width of the hidden layer. Defaults to `None`, the
            width of the query.
        activation: Name or callable, `f`. Defaults to `"tanh"`.

    Call arguments:
        query: Float tensor of shape `(batch_size, Tq, query_dim)`.
        value: Float tensor of shape `(batch_size, Tv, value_dim)`.
        keys: Float tensor of shape `(batch_size, Tv, units)`, optional.

    Returns:
        Float tensor of shape `(batch_size, Tq, Tv)`.

    Example:

    >>> score = k2s.layers.ConcatScore(units=8, activation="relu")
    >>> tuple(score(np.ones((2, 3, 4)), np.ones((2, 5, 6))).shape)
    (2, 3, 5)

    References:
        - [Luong et al., 2015](https://arxiv.org/abs/1508.04025), section 3.1
    """

    def __init__(self, units=None, activation="tanh", **kwargs):
        super().__init__(**kwargs)
        if units is not None:
            units = check_dimension(units, "units")
        self.units = units
        self.activation = keras.activations.get(activation)

    def build(self, query_shape, value_shape):
        units = self.units or query_shape[-1]
        self.kernel = self.add_weight(
            shape=(value_shape[-1] + query_shape[-1], units), name="kernel"
        )
        self.energy_kernel = self.add_weight(
            shape=(units, 1), name="energy_kernel"
        )

    def project_keys(self, value):
        return product(value, self.kernel[: value.shape[-1]])

    def energies(self, query, keys):
        query = product(query, self.kernel[-query.shape[-1] :])
        hidden = ops.expand_dims(query, 2) + ops.expand_dims(keys, 1)
        # (batch_size, Tq, Tv, units) -> (batch_size, Tq, Tv)
        hidden = product(self.activation(hidden), self.energy_kernel)
        return ops.squeeze(hidden, -1)

    def get_config(self):
        return {
            **super().get_config(),
            "units": self.units,
            "activation": keras.activations.serialize(self.activation),
        }
