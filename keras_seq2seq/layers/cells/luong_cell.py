import keras
from keras import ops

from keras_seq2seq.layers.cells.attention_cell import AttentionCell
from keras_seq2seq.layers.dense import Dense
from keras_seq2seq.utils.checks import check_choice
from keras_seq2seq.utils.sizes import check_dimension

OUTPUTS = ("attention_vector", "state", "both")
ACTIVATIONS = {"tanh": "tanh", "linear": None}
ATTENTION_VECTORS = (*ACTIVATIONS, "context")


@keras.saving.register_keras_serializable("keras_seq2seq")
class LuongCell(AttentionCell):
    """Attention after the update: the new state is the query.

    `h_t = cell([y_{t-1}; h~_{t-1}], h_{t-1})`, `c_t = attention(h_t)`,
    `h~_t = tanh(W_c [c_t; h_t])`. The output is the attention vector `h~_t`.
    Masked positions of the memory get zero weight.

    There are two simpler attention vectors: `"linear"`,
    `h~_t = W_c [c_t; h_t]`, and `"context"`, `h~_t = c_t` without weights.

    Without input feeding, `h_t = cell(y_{t-1}, h_{t-1})`. No step then depends
    on earlier attention, so in training the cell runs over the whole target in
    one Keras layer, and the attention of all steps is computed at once.

    Args:
        cell: A Keras cell, such as `keras.layers.LSTMCell(256)`.
        score: Name, config or instance of an `AttentionScore`, or an
            `AttentionMechanism`. Defaults to `"additive"`.
        attention_vector: `"tanh"`, `"linear"` or `"context"`: the formula of
            `h~_t`. Defaults to `"tanh"`.
        attention_units: Integer. Width of the attention vector. Defaults to
            `None`, the width of the cell. Not for `"context"`, which is as wide
            as the memory.
        input_feeding: Boolean. Whether the cell's input includes the previous
            attention vector. Defaults to `True`.
        replace_state: Boolean. Whether the attention vector replaces the state
            `h_t`, which must have the same width. Defaults to `False`.
        output: `"attention_vector"`, `"state"` or `"both"`. With `"state"` the
            output is the cell's output `h_t`, and attention acts on the next
            step only, through input feeding or `replace_state`. With `"both"`
            it is `[h~_t; h_t]`; with `attention_vector="context"`, a linear
            output layer then computes `W_out h_t + W_att c_t`. Defaults to
            `"attention_vector"`.

    Call arguments:
        inputs: Float tensor of shape `(batch_size * num_beams, dim)`.
        states: Dict with the states of `cell` under `"cell"` and, with input
            feeding, the last attention vector under `"attention_vector"`.
        memory: The result of `prepare_memory(memory, memory_mask)`.
        noise: Float tensor of shape `(batch_size * num_beams, Tv)`, or `None`.
        training: Boolean.

    Returns:
        Output of shape `(batch_size * num_beams, output_size)`, new states, and
        attention scores of shape `(batch_size * num_beams, Tv)`.

    Example:

    >>> cell = k2s.layers.LuongCell(keras.layers.LSTMCell(8))
    >>> memory = cell.prepare_memory(keras.ops.ones((2, 5, 6)))
    >>> states = cell.get_initial_state(batch_size=2)
    >>> output, states, scores = cell(keras.ops.ones((2, 4)), states, memory)
    >>> tuple(output.shape)
    (2, 8)

    References:
        - [Luong et al., 2015](https://arxiv.org/abs/1508.04025), eq. 5,
          section 3.3
        - `"linear"` and `"context"`: `tfa.seq2seq.AttentionWrapper` of
          [TensorFlow Addons](https://github.com/tensorflow/addons), with
          `attention_layer_size` and without; `output="state"`: its
          `output_attention=False`
    """

    def __init__(
        self,
        cell,
        score="additive",
        *,
        attention_vector="tanh",
        attention_units=None,
        input_feeding=True,
        replace_state=False,
        output="attention_vector",
        **kwargs,
    ):
        super().__init__(cell, score, **kwargs)
        if attention_units is not None:
            attention_units = check_dimension(
                attention_units, "attention_units"
            )
        self.attention_vector_kind = check_choice(
            attention_vector, "attention_vector", ATTENTION_VECTORS
        )
        self.attention_units = attention_units
        self.input_feeding = input_feeding
        self.replace_state = replace_state
        self.output_kind = check_choice(output, "output", OUTPUTS)
        self._check_attention_is_used()
        self.attention_vector = None
        if attention_vector == "context":
            self._check_no_units()
        else:
            self.attention_vector = Dense(
                attention_units or self.cell_size,
                activation=ACTIVATIONS[attention_vector],
                use_bias=False,
                dtype=self.dtype_policy,
                name="attention_vector",
            )
            self._check_width()

    @property
    def attention_size(self):
        """Width of the attention vector."""
        if self.attention_vector is None:
            return self.value_dim
        return self.attention_vector.units

    @property
    def query_size(self):
        return self.cell_size

    @property
    def feeds_back(self):
        return self.input_feeding or self.replace_state or super().feeds_back

    @property
    def output_size(self):
        vector = 0 if self.output_kind == "state" else self.attention_size
        state = 0 if self.output_kind == "attention_vector" else self.cell_size
        return vector + state

    @property
    def state_size(self):
        if not self.input_feeding:
            return super().state_size
        return {**super().state_size, "attention_vector": self.attention_size}

    def build_cell(self, inputs_dim, value_dim):
        self._check_width()
        feeding = self.attention_size if self.input_feeding else 0
        if not self.cell.built:
            self.cell.build((None, inputs_dim + feeding))
        if self.attention_vector is not None and (
            not self.attention_vector.built
        ):
            self.attention_vector.build((None, value_dim + self.cell_size))

    def _check_attention_is_used(self):
        feeds = self.input_feeding or self.replace_state
        if self.output_kind == "state" and not feeds:
            raise ValueError(
                "With output='state' the attention vector must be fed back, or "
                "nothing would depend on the memory. Received: "
                "input_feeding=False, replace_state=False. Set one of them "
                "to `True`, or use another output."
            )

    def _check_no_units(self):
        if self.attention_units is not None:
            raise ValueError(
                "With attention_vector='context' the attention vector is as "
                "wide as the memory. Received: attention_units="
                f"{self.attention_units}. Leave it out."
            )

    def _check_width(self):
        if self.replace_state and self.attention_size != self.top_size:
            raise ValueError(
                "With `replace_state` the attention vector must be as wide as "
                "the state it replaces. Received: attention_units="
                f"{self.attention_units}, an attention vector of width "
                f"{self.attention_size}, a state of width {self.top_size}. "
                "Leave `attention_units` out. If the attention vector is the "
                "context, make the memory as wide as the state."
            )

    def cell_inputs(self, inputs, states, memory, noise=None, training=False):
        if self.input_feeding:
            fed = states["attention_vector"]
            inputs = ops.concatenate([inputs, fed], axis=-1)
        return inputs, states, None

    def cell_outputs(
        self, outputs, states, passed, memory, noise=None, training=False
    ):
        context, scores, states = self.attend(
            outputs, states, memory, noise, training
        )
        vector = context
        if self.attention_vector is not None:
            both = ops.concatenate([context, outputs], axis=-1)
            vector = self.attention_vector(both)
        if self.input_feeding:
            states = {**states, "attention_vector": vector}
        if self.replace_state:
            cell_states = self.with_top(states["cell"], vector)
            states = {**states, "cell": cell_states}
        return self._select_output(vector, outputs), states, scores

    def _select_output(self, vector, outputs):
        if self.output_kind == "both":
            return ops.concatenate([vector, outputs], axis=-1)
        return outputs if self.output_kind == "state" else vector

    def get_config(self):
        return {
            **super().get_config(),
            "attention_vector": self.attention_vector_kind,
            "attention_units": self.attention_units,
            "input_feeding": self.input_feeding,
            "replace_state": self.replace_state,
            "output": self.output_kind,
        }
