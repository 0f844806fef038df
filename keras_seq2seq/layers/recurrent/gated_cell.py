import keras
from keras import ops

from keras_seq2seq.utils.checks import check_rate
from keras_seq2seq.utils.sizes import check_dimension
from keras_seq2seq.utils.sizes import check_fits


class GatedCell(keras.layers.SimpleRNNCell):
    """Abstract recurrent Keras cell with gates.

    A subclass implements `products(inputs_dim)`, the numbers of its linear
    transformations and biases, and `update(x, h, states)`. As the cell is a
    Keras cell, Keras's loops draw its dropout masks before they start.

    Args:
        units: Integer. Width of the state.
        recurrent_activation: Name or callable. Activation of the gates.
            Defaults to `"sigmoid"`.
        dropout: Float in `[0, 1)`. Dropout on the input. Defaults to `0.0`.
        recurrent_dropout: Float in `[0, 1)`. Dropout for the linear
            transformation of the state. Defaults to `0.0`.
        **kwargs: Other arguments of `keras.layers.SimpleRNNCell`.

    Call arguments:
        inputs: Float tensor of shape `(batch_size, dim)`.
        states: A float tensor of shape `(batch_size, units)`, or a list.
        training: Boolean.

    Returns:
        Output of shape `(batch_size, units)` and new states.
    """

    def __init__(
        self,
        units,
        *,
        recurrent_activation="sigmoid",
        dropout=0.0,
        recurrent_dropout=0.0,
        **kwargs,
    ):
        super().__init__(
            check_dimension(units, "units"),
            dropout=check_rate(dropout, "dropout"),
            recurrent_dropout=check_rate(
                recurrent_dropout, "recurrent_dropout"
            ),
            **kwargs,
        )
        check_fits("The weights of a cell", {"units": units}, times=units)
        self.recurrent_activation = keras.activations.get(recurrent_activation)

    def products(self, inputs_dim):
        """Numbers of kernels for the input and the state, and of biases."""
        return 3, 3, 3

    def update(self, x, h, states):
        """Compute the new states, a list with the output first.

        Args:
            x, h: Float tensors: the input and the first state, after dropout.
            states: List of float tensors, without dropout.
        """
        raise NotImplementedError

    def build(self, inputs_shape):
        inputs, states, biases = self.products(inputs_shape[-1])
        self.kernel = self._weight(
            "kernel",
            (inputs_shape[-1], inputs * self.units),
            self.kernel_initializer,
        )
        self.recurrent_kernel = self._weight(
            "recurrent_kernel",
            (self.units, states * self.units),
            self.recurrent_initializer,
        )
        self.bias = None
        if self.use_bias:
            shape = (biases * self.units,)
            self.bias = self._weight("bias", shape, self.first_bias)

    def _weight(self, name, shape, initializer):
        kind = name.removesuffix("_kernel")  # as Keras names its arguments
        return self.add_weight(
            shape=shape,
            name=name,
            initializer=initializer,
            regularizer=getattr(self, f"{kind}_regularizer"),
            constraint=getattr(self, f"{kind}_constraint"),
        )

    def first_bias(self, shape, dtype=None):
        """Initializer of all biases, concatenated."""
        return self.bias_initializer(shape, dtype=dtype)

    def parts(self, x):
        """`(..., n * units)` -> `n` tensors `(..., units)`."""
        return ops.split(x, x.shape[-1] // self.units, axis=-1)

    def biases(self, count):
        """The biases, of shape `(units,)` each."""
        return [0.0] * count if self.bias is None else self.parts(self.bias)

    def call(self, inputs, states, training=False):
        nested = keras.tree.is_nested(states)
        old = list(states) if nested else [states]
        x, h = inputs, old[0]
        # Keras caches the masks, and its loops draw them before they start.
        if training and self.dropout:
            x = x * self.get_dropout_mask(x)
        if training and self.recurrent_dropout:
            h = h * self.get_recurrent_dropout_mask(h)
        new = self.update(x, h, old)
        return new[0], new if nested else new[0]

    def get_config(self):
        return {
            **super().get_config(),
            "recurrent_activation": keras.activations.serialize(
                self.recurrent_activation
            ),
        }
