import keras
from keras import ops

from keras_seq2seq.layers.attention.attention_mechanism import (
    AttentionMechanism,
)
from keras_seq2seq.layers.attention.attention_score import AttentionScore
from keras_seq2seq.layers.cells.decoder_cell import DecoderCell
from keras_seq2seq.utils import registry


class AttentionCell(DecoderCell):
    """Abstract decoder cell that attends to the memory.

    Args:
        cell: A Keras cell, such as `keras.layers.GRUCell(256)`.
        score: Name, config or instance of an `AttentionScore`, or an
            `AttentionMechanism`.
    """

    def __init__(self, cell, score="additive", **kwargs):
        super().__init__(cell, **kwargs)
        self.attention = _mechanism(score, self.dtype_policy)

    @property
    def feeds_back(self):
        return bool(self.attention.state_size)

    @property
    def state_size(self):
        carried = self.attention.state_size
        return {
            **super().state_size,
            **({"attention": carried} if carried else {}),
        }

    @property
    def top_size(self):
        """Width of the top cell's first state."""
        return keras.tree.flatten(self._top(self.cell.state_size))[0]

    @property
    def query_size(self):
        """Width of the attention's query."""
        return self.top_size

    def top(self, cell_states):
        """The top cell's first state, of shape `(rows, top_size)`."""
        return keras.tree.flatten(self._top(cell_states))[0]

    def with_top(self, cell_states, new):
        """States of the wrapped cell with a new first state of the top cell."""
        old = self._top(cell_states)
        leaves = [new, *keras.tree.flatten(old)[1:]]
        new = keras.tree.pack_sequence_as(old, leaves)
        return [*cell_states[:-1], new] if self._is_stack else new

    def _top(self, cell_states):
        return cell_states[-1] if self._is_stack else cell_states

    def build(self, inputs_shape, memory_shape):
        self._build_attention(memory_shape["value"])
        super().build(inputs_shape, memory_shape)

    def _build_attention(self, value_shape):
        self.value_dim = value_shape[-1]
        if not self.attention.built:
            query_shape = (value_shape[0], None, self.query_size)
            self.attention.build(query_shape, value_shape)

    def prepare_memory(self, memory, memory_mask=None, encoder_states=None):
        self._build_attention(memory.shape)
        keys = self.attention.project_keys(memory)
        return {**super().prepare_memory(memory, memory_mask), "keys": keys}

    def get_initial_state(self, batch_size, memory=None):
        """Initial states: zeros, and the initial state of the attention."""
        first = {}
        if self.attention.state_size:
            if memory is None:
                raise ValueError(
                    "This cell's attention has a state as long as the memory. "
                    "Received: memory=None. Pass the result of "
                    "`prepare_memory`."
                )
            first["attention"] = self.attention.first_state(memory["value"])
        sizes = {k: v for k, v in self.state_size.items() if k not in first}
        zeros = keras.tree.map_structure(
            lambda size: ops.zeros((batch_size, size), self.compute_dtype),
            sizes,
        )
        return {**zeros, **first}

    def draw_noise(self, memory, length):
        rows, positions = ops.shape(memory["value"])[:2]
        return self.attention.draw_noise((rows, length, positions))

    def attend(self, query, states, memory, noise=None, training=False):
        """Attend to the memory.

        Args:
            query: Float tensor of shape `(rows, ..., query_size)`.
            states, memory, noise, training: As in a call.

        Returns:
            Context `(rows, ..., value_dim)`, attention scores
            `(rows, ..., Tv)`, and the states with the new attention state.
        """
        value = memory["value"]
        batch, positions = ops.shape(value)[:2]
        rows = ops.shape(query)[:-1]
        # The query axis holds a source's beams and steps: (batch, Tq, dim)
        context, scores, *new = self.attention(
            ops.reshape(query, (batch, -1, self.query_size)),
            value,
            keys=memory["keys"],
            value_mask=memory.get("mask"),
            state=_to_query_axis(states.get("attention"), batch, positions),
            noise=_to_query_axis(noise, batch, positions),
            training=training,
        )
        for state in new:
            flat = keras.tree.map_structure(
                lambda x: ops.reshape(x, (rows[0], positions)), state
            )
            states = {**states, "attention": flat}
        context = ops.reshape(context, (*rows, value.shape[-1]))
        return context, ops.reshape(scores, (*rows, positions)), states

    def get_config(self):
        attention = keras.saving.serialize_keras_object(self.attention)
        return {**super().get_config(), "score": attention}


def _to_query_axis(nested, batch, positions):
    """Reshape nested tensors `(rows, ..., Tv)` to `(batch_size, Tq, Tv)`."""
    if nested is None:
        return None
    return keras.tree.map_structure(
        lambda x: ops.reshape(x, (batch, -1, positions)), nested
    )


def _mechanism(score, dtype):
    score = registry.object_of(score)
    if isinstance(score, AttentionMechanism):
        return score
    score = registry.get(score, AttentionScore, "score", dtype=dtype.name)
    return AttentionMechanism(score, dtype=dtype, name="attention")
