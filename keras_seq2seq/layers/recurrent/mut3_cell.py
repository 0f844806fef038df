import keras
from keras import ops

from keras_seq2seq.layers.recurrent.gated_cell import GatedCell


@keras.saving.register_keras_serializable("keras_seq2seq")
class MUT3Cell(GatedCell):
    """Cell from an architecture search: `z` uses `tanh` of the state.

    ```
    z = sigmoid(W_xz x + W_hz tanh(h) + b_z)
    r = sigmoid(W_xr x + W_hr h + b_r)
    h' = z * tanh(W_hh (r * h) + W_xh x + b_h) + (1 - z) * h
    ```

    It can be used like any Keras cell: in `keras.layers.RNN`, stacks, encoders
    and decoder cells.

    Args:
        units: Integer. Width of the state.
        recurrent_activation: Name or callable. Activation of the gates.
            Defaults to `"sigmoid"`.
        dropout: Float in `[0, 1)`. Dropout on the input, with one mask for all
            steps. Defaults to `0.0`.
        recurrent_dropout: Float in `[0, 1)`. Dropout for the linear
            transformation of the state, with one mask for all steps. Defaults
            to `0.0`.
        **kwargs: Other arguments of `keras.layers.SimpleRNNCell`:
            `activation`, `use_bias`, initializers, regularizers, constraints
            and `seed`.

    Call arguments:
        inputs: Float tensor of shape `(batch_size, dim)`.
        states: Float tensor of shape `(batch_size, units)`, or a list with it.
        training: Boolean.

    Returns:
        Output of shape `(batch_size, units)`, and the same tensor as the new
        state.

    Example:

    >>> layer = keras.layers.RNN(k2s.layers.MUT3Cell(8))
    >>> tuple(layer(np.ones((2, 5, 4))).shape)
    (2, 8)

    References:
        - Jozefowicz et al., 2015, section 4:
          https://proceedings.mlr.press/v37/jozefowicz15.html
    """

    def update(self, x, h, states):
        x_z, x_r, x_h = self.parts(ops.matmul(x, self.kernel))
        w_hz, w_hr, w_hh = self.parts(self.recurrent_kernel)
        b_z, b_r, b_h = self.biases(3)
        squashed = ops.matmul(self.activation(h), w_hz)
        z = self.recurrent_activation(x_z + squashed + b_z)
        r = self.recurrent_activation(x_r + ops.matmul(h, w_hr) + b_r)
        new = self.activation(ops.matmul(r * h, w_hh) + x_h + b_h)
        return [z * new + (1 - z) * states[0]]
