import keras
from keras import ops

from keras_seq2seq.layers.cells.decoder_cell import DecoderCell
from keras_seq2seq.layers.cells.decoder_cell import no_scores
from keras_seq2seq.layers.dense import Dense
from keras_seq2seq.layers.recurrent.final_states import final_state
from keras_seq2seq.layers.recurrent.final_states import final_width
from keras_seq2seq.ops import last_real
from keras_seq2seq.utils.checks import check_choice
from keras_seq2seq.utils.sizes import check_dimension

CONTEXTS = ("tanh", "identity")


@keras.saving.register_keras_serializable("keras_seq2seq")
class ChoCell(DecoderCell):
    """No attention: every step sees the same summary of the source.

    `h'_t = cell([y_{t-1}; c], h'_{t-1})` with the summary `c = tanh(V h_N)` or
    `c = h_N`. The output is `[h'_t; c]`, or `h'_t` only. The attention scores
    are zeros. In the paper's GRU the reset gate also acts on `c` in the
    candidate; in Keras's GRU it acts on `h'_{t-1}` only.

    `h_N` is the final state of the encoder: the first state of the top layer,
    with both directions concatenated, forward first. For an encoder without
    states it is the memory at the last real position. A source that is all
    padding has a summary of zeros.

    Args:
        cell: A Keras cell, such as `keras.layers.GRUCell(256)`.
        context: `"tanh"` for `c = tanh(V h_N)` or `"identity"` for `c = h_N`.
            Defaults to `"tanh"`.
        context_units: Integer. Width of the summary with `"tanh"`. Defaults to
            `None`, the width of the cell.
        context_in_output: Boolean. Whether to concatenate the summary to the
            output. Defaults to `True`.

    Call arguments:
        inputs: Float tensor of shape `(batch_size * num_beams, dim)`.
        states: Dict with the states of `cell` under `"cell"`.
        memory: The result of `prepare_memory(memory, memory_mask)`.
        training: Boolean.

    Returns:
        Output of shape `(batch_size * num_beams, output_size)`, new states, and
        zeros of shape `(batch_size * num_beams, Tv)`.

    Example:

    >>> cell = k2s.layers.ChoCell(keras.layers.GRUCell(8))
    >>> memory = cell.prepare_memory(keras.ops.ones((2, 5, 6)))
    >>> states = cell.get_initial_state(batch_size=2)
    >>> output, states, scores = cell(keras.ops.ones((2, 4)), states, memory)
    >>> tuple(output.shape)
    (2, 16)

    References:
        - [Cho et al., 2014](https://arxiv.org/abs/1406.1078), appendix A
        - [Goodfellow et al., 2016](https://www.deeplearningbook.org), section
          10.4 (there `C = h_T` is `"identity"`)
    """

    def __init__(
        self,
        cell,
        *,
        context="tanh",
        context_units=None,
        context_in_output=True,
        **kwargs,
    ):
        super().__init__(cell, **kwargs)
        if context_units is not None:
            context_units = check_dimension(context_units, "context_units")
        self.context_kind = _check_context(context, context_units)
        self.context_units = context_units
        self.context_in_output = context_in_output
        self.context_size = None  # unknown until the source's width is known
        self.context = None
        if context == "tanh":
            self.context_size = context_units or self.cell_size
            self.context = Dense(
                self.context_size,
                activation="tanh",
                use_bias=False,
                dtype=self.dtype_policy,
                name="context",
            )

    @property
    def output_size(self):
        context = self.context_size if self.context_in_output else 0
        return self.cell_size + context

    def build(self, inputs_shape, memory_shape):
        width = final_width(memory_shape.get("encoder_states"))
        self._build_context(width or memory_shape["value"][-1])
        super().build(inputs_shape, memory_shape)

    def build_cell(self, inputs_dim, value_dim):
        if not self.cell.built:
            self.cell.build((None, inputs_dim + self.context_size))

    def _build_context(self, width):
        if self.context_size is None:
            self.context_size = width
        if self.context is not None and not self.context.built:
            self.context.build((None, width))

    def prepare_memory(self, memory, memory_mask=None, encoder_states=None):
        summary = final_state(encoder_states)
        if summary is None:
            summary = last_real(memory, memory_mask)
        self._build_context(summary.shape[-1])
        if self.context is not None:
            summary = self.context(summary)
        return {
            **super().prepare_memory(memory, memory_mask),
            "context": ops.cast(summary, self.compute_dtype),
        }

    def cell_inputs(self, inputs, states, memory, noise=None, training=False):
        return _concatenate(inputs, memory["context"]), states, None

    def cell_outputs(
        self, outputs, states, passed, memory, noise=None, training=False
    ):
        scores = no_scores(outputs, memory)
        if self.context_in_output:
            outputs = _concatenate(outputs, memory["context"])
        return outputs, states, scores

    def get_config(self):
        return {
            **super().get_config(),
            "context": self.context_kind,
            "context_units": self.context_units,
            "context_in_output": self.context_in_output,
        }


def _check_context(context, context_units):
    check_choice(context, "context", CONTEXTS)
    if context == "identity" and context_units is not None:
        raise ValueError(
            "With context='identity' the summary is as wide as the encoder's "
            f"final state. Received: context_units={context_units}. Leave it "
            "out, or use context='tanh'."
        )
    return context


def _concatenate(x, context):
    """Concatenate `x (rows, ..., dim)` with the context of its source."""
    batch, units = ops.shape(context)[0], context.shape[-1]
    inner = ops.shape(x)[1:-1]
    # (batch, num_beams * ..., dim)
    flat = ops.reshape(x, (batch, -1, x.shape[-1]))
    context = ops.broadcast_to(
        ops.expand_dims(context, 1), (batch, ops.shape(flat)[1], units)
    )
    both = ops.concatenate([flat, context], axis=-1)
    return ops.reshape(both, (-1, *inner, x.shape[-1] + units))
