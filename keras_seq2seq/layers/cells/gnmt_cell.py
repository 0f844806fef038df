import keras
from keras import ops

from keras_seq2seq.layers.cells.attention_cell import AttentionCell
from keras_seq2seq.layers.recurrent.keras_cell import check_equal_widths
from keras_seq2seq.layers.recurrent.keras_cell import step
from keras_seq2seq.layers.recurrent.keras_cell import width_of


@keras.saving.register_keras_serializable("keras_seq2seq")
class GNMTCell(AttentionCell):
    """A stack whose bottom layer attends, for every layer.

    `c_t = attention(h^1_{t-1})`; then from the bottom up, with `x^0 = y_{t-1}`:
    `h^i_t = cell_i([x^{i-1}; c_t], h^i_{t-1})`, `x^1 = h^1_t` and, with
    residuals, `x^i = h^i_t + x^{i-1}` above. The output is the top's `x`.
    Masked places of the memory get no weight.

    Args:
        cell: `keras.layers.StackedRNNCells` of two cells at least.
        score: Name, config or instance of an `AttentionScore`, or an
            `AttentionMechanism`. Defaults to `"additive"`.
        residual: Boolean. Whether the layers above the bottom add their input;
            then all are equally wide. Defaults to `True`.

    Call arguments:
        inputs: Float tensor of shape `(batch_size * num_beams, dim)`.
        states: Dict with the states of `cell` under `"cell"`.
        memory: What `prepare_memory(memory, memory_mask)` gave.
        training: Boolean.
        return_attention_scores: Boolean.

    Returns:
        Output of shape `(batch_size * num_beams, units)` and new states; then
        attention scores of shape `(batch_size * num_beams, Tv)` where they
        were asked for.

    Example:

    >>> cells = [keras.layers.LSTMCell(8) for _ in range(3)]
    >>> cell = k2s.layers.GNMTCell(keras.layers.StackedRNNCells(cells))
    >>> memory = cell.prepare_memory(keras.ops.ones((2, 5, 6)))
    >>> states = cell.get_initial_state(batch_size=2)
    >>> output, states = cell(keras.ops.ones((2, 4)), states, memory)
    >>> tuple(output.shape)
    (2, 8)

    References:
        - [Wu et al., 2016](https://arxiv.org/abs/1609.08144), eq. 4-6 and
          figure 1
    """

    feeds_back = True

    def __init__(self, cell, score="additive", *, residual=True, **kwargs):
        super().__init__(cell, score, **kwargs)
        if not self._is_stack or len(self.cell.cells) < 2:
            raise ValueError(
                "`cell` must be a `keras.layers.StackedRNNCells` of two cells "
                f"at least. Received: cell={self.cell}"
            )
        if getattr(self.cell, "residual", residual) != residual:
            raise ValueError(
                "`cell` and `residual` must agree. Received: "
                f"{type(self.cell).__name__}(residual={self.cell.residual}), "
                f"residual={residual}. Use a `keras.layers.StackedRNNCells`."
            )
        self.residual = residual
        if residual:
            check_equal_widths(self.cell.cells)

    @property
    def query_size(self):
        return width_of(self.cell.cells[0])

    @property
    def output_size(self):
        return self.cell_size

    def build_cell(self, inputs_dim, value_dim):
        for inner in self.cell.cells:
            if not inner.built:
                inner.build((None, inputs_dim + value_dim))
            inputs_dim = width_of(inner)
        self.cell.built = True

    def call(
        self,
        inputs,
        states,
        memory,
        training=False,
        return_attention_scores=False,
    ):
        below, *_ = keras.tree.flatten(states["cell"][0])
        context, scores, carried = self.attend(below, states, memory, training)
        x, new = inputs, []
        for i, inner in enumerate(self.cell.cells):
            output, state = step(
                inner,
                ops.concatenate([x, context], axis=-1),
                states["cell"][i],
                training,
            )
            x = output + x if self.residual and i else output
            new.append(state)
        states = {"cell": new, **carried}
        if return_attention_scores:
            return x, states, scores
        return x, states

    def get_config(self):
        return {**super().get_config(), "residual": self.residual}
