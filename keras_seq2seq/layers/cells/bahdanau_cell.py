import keras
from keras import ops

from keras_seq2seq.layers.cells.attention_cell import AttentionCell


@keras.saving.register_keras_serializable("keras_seq2seq")
class BahdanauCell(AttentionCell):
    """Attention before the update: the previous state is the query.

    `c_i = attention(s_{i-1})`, `s_i = cell([y_{i-1}; c_i], s_{i-1})`. The
    output is `[s_i; c_i]`, the input of a deep output layer, or `s_i` only. The
    paper's cell is `GRUCell(units, reset_after=False)`. Masked positions of the
    memory get zero weight.

    Args:
        cell: A Keras cell, such as `keras.layers.GRUCell(256)`.
        score: Name, config or instance of an `AttentionScore`, or an
            `AttentionMechanism`. Defaults to `"additive"`.
        context_in_output: Boolean. Whether to concatenate the context to the
            output. Defaults to `True`.

    Call arguments:
        inputs: Float tensor of shape `(batch_size * num_beams, dim)`.
        states: Dict with the states of `cell` under `"cell"`.
        memory: The result of `prepare_memory(memory, memory_mask)`.
        noise: Float tensor of shape `(batch_size * num_beams, Tv)`, or `None`.
        training: Boolean.

    Returns:
        Output of shape `(batch_size * num_beams, output_size)`, new states,
        and attention scores of shape `(batch_size * num_beams, Tv)`.

    Example:

    >>> cell = k2s.layers.BahdanauCell(keras.layers.GRUCell(8))
    >>> memory = cell.prepare_memory(keras.ops.ones((2, 5, 6)))
    >>> states = cell.get_initial_state(batch_size=2)
    >>> output, states, scores = cell(keras.ops.ones((2, 4)), states, memory)
    >>> tuple(output.shape)
    (2, 14)

    References:
        - [Bahdanau et al., 2015](https://arxiv.org/abs/1409.0473), eq. 4-6
          and A.2.2
    """

    feeds_back = True

    def __init__(
        self, cell, score="additive", *, context_in_output=True, **kwargs
    ):
        super().__init__(cell, score, **kwargs)
        self.context_in_output = context_in_output

    @property
    def output_size(self):
        context = self.value_dim if self.context_in_output else 0
        return self.cell_size + context

    def build_cell(self, inputs_dim, value_dim):
        if not self.cell.built:
            self.cell.build((None, inputs_dim + value_dim))

    def cell_inputs(self, inputs, states, memory, noise=None, training=False):
        context, scores, states = self.attend(
            self.top(states["cell"]), states, memory, noise, training
        )
        x = ops.concatenate([inputs, context], axis=-1)
        return x, states, (context, scores)

    def cell_outputs(
        self, outputs, states, passed, memory, noise=None, training=False
    ):
        context, scores = passed
        if self.context_in_output:
            outputs = ops.concatenate([outputs, context], axis=-1)
        return outputs, states, scores

    def get_config(self):
        config = super().get_config()
        return {**config, "context_in_output": self.context_in_output}
