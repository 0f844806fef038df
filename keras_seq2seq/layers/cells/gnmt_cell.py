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
    """A stack whose bottom layer attends, for every layer.

    `a_t = attention(m^1_{t-1})`; then from the bottom up, with
    `x^0_t = y_{t-1}`: `m^i_t = cell_i([x^{i-1}_t; a_t], m^i_{t-1})`,
    `x^1_t = m^1_t` and, with residuals, `x^i_t = m^i_t + x^{i-1}_t` above. The
    output is the top's `x`.
    Masked places of the memory get no weight.

    With `upper_context="new"` the layers above the bottom see the context of
    the state that the bottom has just reached: `h^1_t = cell_1([y_{t-1};
    c_{t-1}], h^1_{t-1})`, `c_t = attention(h^1_t)`, and `c_t` above; `c_0` is
    zero. It is what tensorflow/nmt calls `gnmt_v2`.

    Args:
        cell: `keras.layers.StackedRNNCells` of two cells at least.
        score: Name, config or instance of an `AttentionScore`, or an
            `AttentionMechanism`. Defaults to `"additive"`.
        residual: Boolean or integer. Index of the first layer that adds its
            input, 1 or more; `True` is 1, the layer above the bottom. It and
            all above are as wide as the one below. Defaults to `True`.
        upper_context: `"old"`, the context of the bottom's state before the
            step, or `"new"`, of the state after it. Defaults to `"old"`.

    Call arguments:
        inputs: Float tensor of shape `(batch_size * num_beams, dim)`.
        states: Dict with the states of `cell` under `"cell"`, and, with
            `upper_context="new"`, the last context under `"context"`.
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
                "`cell` must be a `keras.layers.StackedRNNCells` of two cells "
                f"at least. Received: cell={self.cell}"
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

    def call(
        self,
        inputs,
        states,
        memory,
        training=False,
        return_attention_scores=False,
    ):
        old = states["cell"]
        if self.upper_context == "new":
            x, bottom = self._step(0, inputs, states["context"], old, training)
            context, scores, carried = self.attend(
                _query(bottom), states, memory, training
            )
            carried["context"] = context
        else:
            context, scores, carried = self.attend(
                _query(old[0]), states, memory, training
            )
            x, bottom = self._step(0, inputs, context, old, training)
        new = [bottom]
        for index in range(1, len(old)):
            output, state = self._step(index, x, context, old, training)
            x = output + x if self._adds(index) else output
            new.append(state)
        states = {"cell": new, **carried}
        if return_attention_scores:
            return x, states, scores
        return x, states

    def _step(self, index, x, context, states, training):
        inputs = ops.concatenate([x, context], axis=-1)
        return step(self.cell.cells[index], inputs, states[index], training)

    def _adds(self, index):
        return bool(self.residual) and index >= self.residual

    def get_config(self):
        return {
            **super().get_config(),
            "residual": self.residual,
            "upper_context": self.upper_context,
        }


def _query(states):
    """The first state of the bottom's: what attends."""
    return keras.tree.flatten(states)[0]
