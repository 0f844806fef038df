import keras
from keras import ops

from keras_seq2seq.layers.attention.additive_score import AdditiveScore
from keras_seq2seq.ops import product
from keras_seq2seq.utils.sizes import check_dimension
from keras_seq2seq.utils.sizes import check_fits


@keras.saving.register_keras_serializable("keras_seq2seq")
class LocationAwareScore(AdditiveScore):
    """Additive score that uses the attention scores of the previous step.

    `energy_j = w^T tanh(W query + V value_j + U f_j + b)` with
    `keys = V value + b` and `f = F * alpha`, the convolution of the previous
    attention scores with learned filters. The state is `alpha`, initially
    zeros. Masked positions have attention scores of zero, like the zero padding
    of the convolution, so padding changes nothing.

    Args:
        units: Integer. Width of the hidden layer. Defaults to `None`, the
            width of the query.
        filters: Integer. Number of filters. Defaults to `10`, as in the paper.
        kernel_size: Integer. Width of a filter in positions. Defaults to `31`;
            the paper uses `201` for audio frames.
        cumulative: Boolean. Whether `alpha` is the sum over all earlier steps,
            not the previous step's scores. Defaults to `False`.
        normalize: Boolean. As in `AdditiveScore`. Defaults to `False`.
        use_bias: Boolean. As in `AdditiveScore`. Defaults to `True`.

    Call arguments:
        query: Float tensor of shape `(batch_size, Tq, query_dim)`.
        value: Float tensor of shape `(batch_size, Tv, value_dim)`.
        keys: Float tensor of shape `(batch_size, Tv, units)`, optional.
        state: Float tensor of shape `(batch_size, Tq, Tv)`, optional.

    Returns:
        Float tensor of shape `(batch_size, Tq, Tv)`.

    Example:

    >>> score = k2s.layers.LocationAwareScore(units=8, kernel_size=5)
    >>> tuple(score(np.ones((2, 3, 4)), np.ones((2, 5, 6))).shape)
    (2, 3, 5)

    References:
        - [Chorowski et al., 2015](https://arxiv.org/abs/1506.07503), eq. 8-9
    """

    has_state = True

    def __init__(
        self,
        units=None,
        *,
        filters=10,
        kernel_size=31,
        cumulative=False,
        normalize=False,
        use_bias=True,
        **kwargs,
    ):
        super().__init__(
            units, normalize=normalize, use_bias=use_bias, **kwargs
        )
        self.filters = check_dimension(filters, "filters")
        self.kernel_size = check_dimension(kernel_size, "kernel_size")
        self.cumulative = cumulative

    def build(self, query_shape, value_shape):
        super().build(query_shape, value_shape)
        sizes = {"kernel_size": self.kernel_size, "filters": self.filters}
        check_fits("The filters of a score", sizes)
        self.location_filters = self.add_weight(
            shape=(self.kernel_size, 1, self.filters), name="location_filters"
        )
        self.location_kernel = self.add_weight(
            shape=(self.filters, self.energy_kernel.shape[0]),
            name="location_kernel",
        )

    def next_state(self, state, attention_scores, keys):
        if not self.cumulative:
            return attention_scores
        return ops.add(state, attention_scores)

    def energies(self, query, keys, state):
        location = product(self._convolve(state), self.location_kernel)
        return self.energies_of(self.hidden(query, keys) + location)

    def _convolve(self, state):
        """`(batch_size, Tq, Tv)` -> `(batch_size, Tq, Tv, filters)`."""
        batch, length, positions = ops.shape(state)
        seen = ops.conv(
            ops.reshape(state, (-1, positions, 1)),
            self.location_filters,
            padding="same",
            data_format="channels_last",
        )
        return ops.reshape(seen, (batch, length, positions, self.filters))

    def get_config(self):
        return {
            **super().get_config(),
            "filters": self.filters,
            "kernel_size": self.kernel_size,
            "cumulative": self.cumulative,
        }
