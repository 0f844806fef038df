import keras
from keras import ops

from keras_seq2seq.layers.cells.attention_cell import AttentionCell
from keras_seq2seq.layers.recurrent.keras_cell import check_equal_widths
from keras_seq2seq.layers.recurrent.keras_cell import check_residual
from keras_seq2seq.layers.recurrent.keras_cell import step
from keras_seq2seq.layers.recurrent.keras_cell import width_of
from keras_seq2seq.utils.checks import check_choice

CONTEXTS = ("old", "new")


@keras.saving.register_keras_serializable("keras_seq2seq")
class GNMTCell(AttentionCell):
    """A stack of cells that share the context of the bottom layer's query.

    `a_t = attention(m^1_{t-1})`. Then from the bottom up, with
    `x^0_t = y_{t-1}`: `m^i_t = cell_i([x^{i-1}_t; a_t], m^i_{t-1})`,
    `x^1_t = m^1_t` and, with residuals, `x^i_t = m^i_t + x^{i-1}_t` above. The
    output is the `x` of the top layer. Masked positions of the memory get zero
    weight.

    With `upper_context="new"`, the upper layers see the context of the bottom
    layer's new state: `h^1_t = cell_1([y_{t-1}; c_{t-1}], h^1_{t-1})`, and then
    `c_t = attention(h^1_t)` is the context of the upper layers. `c_0` is zero.
    tensorflow/nmt calls this `gnmt_v2`.

    Args:
        cell: `keras.layers.StackedRNNCells` with at least two cells.
        score: Name, config or instance of an `AttentionScore`, or an
            `AttentionMechanism`. Defaults to `"additive"`.
        residual: Boolean or integer. Index of the first layer with a residual
            connection, at least 1; `True` is 1, the second layer. The layers
            from the one below it up must have the same width. Defaults to
            `True`.
        upper_context: `"old"` for the context of the bottom layer's state
            before the step, or `"new"` for that of its state after the step.
            Defaults to `"old"`.

    Call arguments:
        inputs: Float tensor of shape `(batch_size * num_beams, dim)`.
        states: Dict with the states of `cell` under `"cell"`, and, with
            `upper_context="new"`, the last context under `"context"`.
        memory: The result of `prepare_memory(memory, memory_mask)`.
        noise: Float tensor of shape `(batch_size * num_beams, Tv)`, or `None`.
        training: Boolean.

    Returns:
        Output of shape `(batch_size * num_beams, units)`, new states, and
        attention scores of shape `(batch_size * num_beams, Tv)`.

    Example:

    >>> cells = [keras.layers.LSTMCell(8) for _ in range(3)]
    >>> cell = k2s.layers.GNMTCell(keras.layers.StackedRNNCells(cells))
    >>> memory = cell.prepare_memory(keras.ops.ones((2, 5, 6)))
    >>> states = cell.get_initial_state(batch_size=2)
    >>> output, states, scores = cell(keras.ops.ones((2, 4)), states, memory)
    >>> tuple(output.shape)
    (2, 8)

    References:
        - [Wu et al., 2016](https://arxiv.org/abs/1609.08144), eq. 4-6 and
          figure 1
        - [tensorflow/nmt](https://github.com/tensorflow/nmt), `gnmt_model.py`
          (`upper_context="new"`)
    """

    feeds_back = True

    def __init__(
        self,
        cell,
        score="additive",
        *,
        residual=True,
        upper_context="old",
        **kwargs,
    ):
        super().__init__(cell, score, **kwargs)
        self.residual = check_residual(residual)
        self.upper_context = check_choice(
            upper_context, "upper_context", CONTEXTS
        )
        if not self._is_stack or len(self.cell.cells) < 2:
            raise ValueError(
                "`cell` must be a `keras.layers.StackedRNNCells` with at least "
                f"two cells. Received: cell={self.cell}"
            )
        if getattr(self.cell, "residual", residual) != residual:
            raise ValueError(
                "`cell` and `residual` must agree. Received: "
                f"{type(self.cell).__name__}(residual={self.cell.residual}), "
                f"residual={residual}. Use a `keras.layers.StackedRNNCells`."
            )
        if residual:
            check_equal_widths(self.cell.cells[residual - 1 :])

    @property
    def query_size(self):
        return width_of(self.cell.cells[0])

    @property
    def output_size(self):
        return self.cell_size

    @property
    def state_size(self):
        if self.upper_context == "old":
            return super().state_size
        return {**super().state_size, "context": self.value_dim}

    def build_cell(self, inputs_dim, value_dim):
        for inner in self.cell.cells:
            if not inner.built:
                inner.build((None, inputs_dim + value_dim))
            inputs_dim = width_of(inner)
        self.cell.built = True

    def cell_inputs(self, inputs, states, memory, noise=None, training=False):
        """Run the attention and the bottom layer.

        The input of the wrapped cell is the bottom layer's output and the
        context. Its states are those of the upper layers.
        """
        bottom, *above = states["cell"]
        if self.upper_context == "new":
            fed = states["context"]
            x, bottom = self._layer(0, inputs, fed, bottom, training)
            context, scores, states = self.attend(
                _query(bottom), states, memory, noise, training
            )
            states = {**states, "context": context}
        else:
            context, scores, states = self.attend(
                _query(bottom), states, memory, noise, training
            )
            x, bottom = self._layer(0, inputs, context, bottom, training)
        return (x, context), {**states, "cell": above}, (bottom, scores)

    def update(self, inputs, cell_states, training=False):
        (x, context), new = inputs, []
        for index, states in enumerate(cell_states, start=1):
            output, states = self._layer(index, x, context, states, training)
            x = output + x if self._is_residual(index) else output
            new.append(states)
        return x, new

    def cell_outputs(
        self, outputs, states, passed, memory, noise=None, training=False
    ):
        bottom, scores = passed
        states = {**states, "cell": [bottom, *states["cell"]]}
        return outputs, states, scores

    def _layer(self, index, x, context, states, training):
        inputs = ops.concatenate([x, context], axis=-1)
        return step(self.cell.cells[index], inputs, states, training)

    def _is_residual(self, index):
        return bool(self.residual) and index >= self.residual

    def get_config(self):
        return {
            **super().get_config(),
            "residual": self.residual,
            "upper_context": self.upper_context,
        }


def _query(states):
    """The query: the first state of the bottom layer."""
    return keras.tree.flatten(states)[0]
