import inspect

import keras
from keras import ops

from keras_seq2seq.layers.attention.attention_mechanism import (
    AttentionMechanism,
)
from keras_seq2seq.layers.attention.attention_score import AttentionScore
from keras_seq2seq.utils import registry
from keras_seq2seq.utils.structures import plain


class DecoderCell(keras.layers.Layer):
    """Abstract cell of a decoder: one step of one target token.

    A decoder cell wraps a recurrent Keras cell and sees the encoder's memory.
    A subclass fills `build_cell(inputs_dim, value_dim)`,
    `call(inputs, states, memory, ...)`, `output_size`, and, where it carries
    more than the states of the wrapped cell, `state_size`. A step is pure: it
    draws nothing at random and keeps nothing on the layer.

    `prepare_memory` runs once a sequence. Its result is opaque to whoever
    passes it back. States are a dict; the entry `"cell"` holds the states of
    the wrapped cell and comes from the bridge.

    Args:
        cell: A Keras cell, such as `keras.layers.GRUCell(256)`.
        score: Name, config or instance of an `AttentionScore`, or an
            `AttentionMechanism`.

    Call arguments:
        inputs: Float tensor of shape `(batch_size * num_beams, dim)`.
        states: Nested float tensors of shape `(batch_size * num_beams, ...)`.
        memory: What `prepare_memory` gave; `batch_size` rows, whatever the
            number of beams: the beams of a source are queries on one memory.
        training: Boolean.
        return_attention_scores: Boolean.

    Returns:
        Output of shape `(batch_size * num_beams, output_size)` and new
        states; then attention scores of shape
        `(batch_size * num_beams, Tv)` where they were asked for.
    """

    def __init__(self, cell, score="additive", **kwargs):
        super().__init__(**kwargs)
        self.supports_masking = True
        self.cell = _check_cell(registry.object_of(cell))
        self.attention = _mechanism(score, self.dtype_policy)

    @property
    def state_size(self):
        return {"cell": plain(self.cell.state_size)}

    @property
    def output_size(self):
        raise NotImplementedError

    @property
    def query_size(self):
        """Width of the state that attends: the output of the top cell."""
        return keras.tree.flatten(self._top(self.cell.state_size))[0]

    def query(self, states):
        """The state that attends, of shape `(rows, query_size)`."""
        return keras.tree.flatten(self._top(states["cell"]))[0]

    def _top(self, states):
        stacked = isinstance(self.cell, keras.layers.StackedRNNCells)
        return states[-1] if stacked else states

    def build(self, inputs_shape, memory_shape):
        value_shape = memory_shape["value"]
        self._build_attention(value_shape)
        self.value_dim = value_shape[-1]
        self.build_cell(inputs_shape[-1], value_shape[-1])

    def build_cell(self, inputs_dim, value_dim):
        raise NotImplementedError

    def _build_attention(self, value_shape):
        if not self.attention.built:
            query_shape = (value_shape[0], None, self.query_size)
            self.attention.build(query_shape, value_shape)

    def prepare_memory(self, memory, memory_mask=None):
        self._build_attention(memory.shape)
        keys = self.attention.project_keys(memory)
        prepared = {"value": memory, "keys": keys}
        if memory_mask is not None:
            prepared["mask"] = memory_mask
        return prepared

    def get_initial_state(self, batch_size, memory=None):
        """Zeros of `state_size`, for `batch_size` rows."""
        return keras.tree.map_structure(
            lambda size: ops.zeros((batch_size, size), self.compute_dtype),
            self.state_size,
        )

    def attend(self, query, memory):
        """Context `(rows, value_dim)` and attention scores `(rows, Tv)`."""
        value = memory["value"]
        # The beams of a source are the query axis: (batch, num_beams, dim)
        query = ops.reshape(query, (ops.shape(value)[0], -1, self.query_size))
        context, scores = self.attention(
            query, value, keys=memory["keys"], value_mask=memory.get("mask")
        )
        return (
            ops.reshape(context, (-1, value.shape[-1])),
            ops.reshape(scores, (-1, ops.shape(value)[1])),
        )

    def step_cell(self, inputs, states, training):
        """Output and new states of the wrapped cell."""
        kwargs = {"training": training} if _takes_training(self.cell) else {}
        old = states["cell"]
        output, new = self.cell(inputs, old, **kwargs)
        return output, keras.tree.pack_sequence_as(old, keras.tree.flatten(new))

    def get_config(self):
        serialize = keras.saving.serialize_keras_object
        return {
            **super().get_config(),
            "cell": serialize(self.cell),
            "score": serialize(self.attention),
        }


def _check_cell(cell):
    is_loop = isinstance(cell, keras.layers.RNN)
    if is_loop or not hasattr(cell, "state_size"):
        raise ValueError(
            "`cell` must be a Keras cell, such as `keras.layers.GRUCell(256)`, "
            f"not a name and not the layer around a cell. Received: cell={cell}"
        )
    return cell


def _takes_training(cell):
    return "training" in inspect.signature(cell.call).parameters


def _mechanism(score, dtype):
    score = registry.object_of(score)
    if isinstance(score, AttentionMechanism):
        return score
    score = registry.get(score, AttentionScore, "score")
    return AttentionMechanism(score, dtype=dtype, name="attention")
