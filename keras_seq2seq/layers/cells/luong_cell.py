import keras
from keras import ops

from keras_seq2seq.layers.cells.decoder_cell import DecoderCell
from keras_seq2seq.utils.checks import check_integer


@keras.saving.register_keras_serializable("keras_seq2seq")
class LuongCell(DecoderCell):
    """Attention after the update, with input feeding.

    `h_t = cell([y_{t-1}; a_{t-1}], h_{t-1})`, `c_t = attention(h_t)`,
    `a_t = tanh(W [c_t; h_t])`; the output is the attention vector `a_t`.
    Masked places of the memory get no weight.

    Args:
        cell: A Keras cell, such as `keras.layers.LSTMCell(256)`.
        score: Name, config or instance of an `AttentionScore`, or an
            `AttentionMechanism`. Defaults to `"additive"`.
        attention_units: Integer. Width of the attention vector. Defaults to
            `None`, the width of the cell.

    Call arguments:
        inputs: Float tensor of shape `(batch_size * num_beams, dim)`.
        states: Dict with the states of `cell` under `"cell"` and the last
            attention vector under `"attention_vector"`.
        memory: What `prepare_memory(memory, memory_mask)` gave.
        training: Boolean.
        return_attention_scores: Boolean.

    Returns:
        Output of shape `(batch_size * num_beams, attention_units)` and new
        states; then attention scores of shape `(batch_size * num_beams, Tv)`
        where they were asked for.

    Example:

    >>> cell = k2s.layers.LuongCell(keras.layers.LSTMCell(8))
    >>> memory = cell.prepare_memory(keras.ops.ones((2, 5, 6)))
    >>> states = cell.get_initial_state(batch_size=2)
    >>> output, states = cell(keras.ops.ones((2, 4)), states, memory)
    >>> tuple(output.shape)
    (2, 8)

    References:
        - [Luong et al., 2015](https://arxiv.org/abs/1508.04025), eq. 5,
          section 3.3
    """

    def __init__(self, cell, score="additive", *, attention_units=None, **kw):
        super().__init__(cell, score, **kw)
        if attention_units is not None:
            check_integer(attention_units, "attention_units", 1)
        self.attention_units = attention_units
        self.attention_vector = keras.layers.Dense(
            attention_units or self.query_size,
            activation="tanh",
            use_bias=False,
            dtype=self.dtype_policy,
            name="attention_vector",
        )

    @property
    def output_size(self):
        return self.attention_vector.units

    @property
    def state_size(self):
        return {**super().state_size, "attention_vector": self.output_size}

    def build_cell(self, inputs_dim, value_dim):
        if not self.cell.built:
            self.cell.build((None, inputs_dim + self.output_size))
        if not self.attention_vector.built:
            self.attention_vector.build((None, value_dim + self.query_size))

    def call(
        self,
        inputs,
        states,
        memory,
        training=False,
        return_attention_scores=False,
    ):
        feeding = states["attention_vector"]
        step_inputs = ops.concatenate([inputs, feeding], axis=-1)
        output, cell_states = self.step_cell(step_inputs, states, training)
        states = {"cell": cell_states}
        context, scores = self.attend(self.query(states), memory)
        output = self.attention_vector(
            ops.concatenate([context, output], axis=-1)
        )
        states["attention_vector"] = output
        if return_attention_scores:
            return output, states, scores
        return output, states

    def get_config(self):
        return {
            **super().get_config(),
            "attention_units": self.attention_units,
        }
