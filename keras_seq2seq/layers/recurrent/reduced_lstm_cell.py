import keras
from keras import ops

from keras_seq2seq.layers.recurrent.gated_cell import GatedCell
from keras_seq2seq.utils.checks import check_choice

GATES = ("input", "forget", "output")


@keras.saving.register_keras_serializable("keras_seq2seq")
class ReducedLSTMCell(GatedCell):
    """LSTM cell without one of its gates, for ablations.

    With the gates `i, f, o = sigmoid(W [x; h] + b)` and the candidate
    `g = tanh(W_g [x; h] + b_g)`, an LSTM computes `c' = f * c + i * g` and
    `h' = o * tanh(c')`. Here one of the gates `i` (LSTM-i), `f` (LSTM-f) or `o`
    (LSTM-o) is always 1 and has no weights. It can be used like any Keras cell:
    in `keras.layers.RNN`, stacks, encoders and decoder cells.

    Args:
        units: Integer. Width of the states.
        without: `"input"`, `"forget"` or `"output"`. The gate to leave out.
        unit_forget_bias: Boolean. Whether to initialize the bias of the forget
            gate, if there is one, to 1. Defaults to `True`.
        recurrent_activation: Name or callable. Activation of the gates.
            Defaults to `"sigmoid"`.
        dropout: Float in `[0, 1)`. Dropout on the input, with one mask for all
            steps. Defaults to `0.0`.
        recurrent_dropout: Float in `[0, 1)`. Dropout for the linear
            transformation of `h`, with one mask for all steps. Defaults to
            `0.0`.
        **kwargs: Other arguments of `keras.layers.SimpleRNNCell`:
            `activation`, `use_bias`, initializers, regularizers, constraints
            and `seed`.

    Call arguments:
        inputs: Float tensor of shape `(batch_size, dim)`.
        states: List of two float tensors of shape `(batch_size, units)`, `h`
            and `c`.
        training: Boolean.

    Returns:
        `h'` of shape `(batch_size, units)`, and a list of `h'` and `c'`.

    Example:

    >>> cell = k2s.layers.ReducedLSTMCell(8, without="output")
    >>> tuple(keras.layers.RNN(cell)(np.ones((2, 5, 4))).shape)
    (2, 8)

    References:
        - Jozefowicz et al., 2015, section 2:
          https://proceedings.mlr.press/v37/jozefowicz15.html
    """

    def __init__(self, units, without, *, unit_forget_bias=True, **kwargs):
        super().__init__(units, **kwargs)
        self.without = check_choice(without, "without", GATES)
        self.unit_forget_bias = unit_forget_bias
        # In the order of Keras's LSTM.
        every = ("input", "forget", "candidate", "output")
        self.part_names = [name for name in every if name != without]
        self.state_size = [self.units, self.units]

    def first_bias(self, shape, dtype=None):
        ones = keras.initializers.Ones()
        own = {"forget": ones} if self.unit_forget_bias else {}
        firsts = (
            own.get(name, self.bias_initializer) for name in self.part_names
        )
        return ops.concatenate(
            [first((self.units,), dtype=dtype) for first in firsts]
        )

    def update(self, x, h, states):
        total = ops.matmul(x, self.kernel)
        total = total + ops.matmul(h, self.recurrent_kernel)
        if self.bias is not None:
            total = total + self.bias
        part = dict(zip(self.part_names, self.parts(total)))

        def gate(name):
            open_gate = name == self.without
            return 1.0 if open_gate else self.recurrent_activation(part[name])

        candidate = self.activation(part["candidate"])
        c = gate("forget") * states[1] + gate("input") * candidate
        return [gate("output") * self.activation(c), c]

    def get_initial_state(self, batch_size=None):
        return [
            ops.zeros((batch_size, size), dtype=self.compute_dtype)
            for size in self.state_size
        ]

    def get_config(self):
        return {
            **super().get_config(),
            "without": self.without,
            "unit_forget_bias": self.unit_forget_bias,
        }
