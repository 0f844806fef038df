import keras

from keras_seq2seq.layers.dense import Dense
from keras_seq2seq.utils.sizes import check_dimension


@keras.saving.register_keras_serializable("keras_seq2seq")
class FeedForward(keras.layers.Layer):
    """Two dense layers, the same at each position.

    `output = activation(x W_1 + b_1) W_2 + b_2`, as wide as the input.

    Args:
        intermediate_dim: Integer. Width between the two. Defaults to `None`,
            four times the width of the input.
        activation: Name or callable. Defaults to `"relu"`.
        use_bias: Boolean. Whether there are `b_1` and `b_2`. Defaults to
            `True`.

    Call arguments:
        inputs: Float tensor of shape `(batch_size, length, dim)`.

    Returns:
        Float tensor of the shape of `inputs`.

    Example:

    >>> layer = k2s.layers.FeedForward(intermediate_dim=16, activation="gelu")
    >>> tuple(layer(np.ones((2, 3, 4))).shape)
    (2, 3, 4)

    References:
        - [Vaswani et al., 2017](https://arxiv.org/abs/1706.03762), eq. 2
    """

    def __init__(
        self,
        intermediate_dim=None,
        activation="relu",
        *,
        use_bias=True,
        **kwargs,
    ):
        super().__init__(**kwargs)
        self.supports_masking = True
        if intermediate_dim is not None:
            check_dimension(intermediate_dim, "intermediate_dim")
        self.intermediate_dim = intermediate_dim
        self.activation = keras.activations.get(activation)
        self.use_bias = use_bias

    def build(self, inputs_shape):
        dim = inputs_shape[-1]
        width = self.intermediate_dim or 4 * dim
        self.hidden = Dense(
            width,
            activation=self.activation,
            use_bias=self.use_bias,
            dtype=self.dtype_policy,
            name="hidden",
        )
        self.outer = Dense(
            dim, use_bias=self.use_bias, dtype=self.dtype_policy, name="outer"
        )
        self.hidden.build((None, dim))
        self.outer.build((None, width))

    def call(self, inputs):
        return self.outer(self.hidden(inputs))

    def compute_output_shape(self, inputs_shape):
        return inputs_shape

    def get_config(self):
        return {
            **super().get_config(),
            "intermediate_dim": self.intermediate_dim,
            "activation": keras.activations.serialize(self.activation),
            "use_bias": self.use_bias,
        }
