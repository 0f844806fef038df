import keras
from keras import ops

from keras_seq2seq.layers.recurrent.keras_cell import step
from keras_seq2seq.layers.recurrent.keras_cell import width_of
from keras_seq2seq.utils import registry
from keras_seq2seq.utils.structures import plain


class DecoderCell(keras.layers.Layer):
    """Abstract cell of a decoder: one step of one target token.

    A decoder cell wraps a recurrent Keras cell and sees the encoder's memory.
    A step has three parts: `cell_inputs` makes the input of the wrapped cell,
    `update` runs it, `cell_outputs` makes the output. Where the first part
    needs nothing of the steps before (`feeds_back` is `False`), a decoder runs
    the wrapped cell over the whole target in one Keras layer, and
    `cell_outputs` once for all steps; in search the same three run token by
    token.

    A subclass fills `build_cell(inputs_dim, value_dim)` and `output_size`, what
    it wants of `cell_inputs` and `cell_outputs`, and, where it carries more
    than the states of the wrapped cell, `state_size`. A step is pure: it draws
    nothing at random and keeps nothing on the layer.

    `prepare_memory` runs once a sequence; a decoder shows it the encoder's
    final states too. Its result is opaque to whoever passes it back. States are
    a dict; the entry `"cell"` holds the states of the wrapped cell and comes
    from the bridge.

    Args:
        cell: A Keras cell, such as `keras.layers.GRUCell(256)`.

    Call arguments:
        inputs: Float tensor of shape `(batch_size * num_beams, dim)`.
        states: Nested float tensors of shape `(batch_size * num_beams, ...)`.
        memory: What `prepare_memory` gave; `batch_size` rows, whatever the
            number of beams: the beams of a source are queries on one memory.
        noise: Float tensor of shape `(batch_size * num_beams, Tv)`, what
            `draw_noise` gave for this step, or `None`.
        training: Boolean.

    Returns:
        Output of shape `(batch_size * num_beams, output_size)`, new states,
        and attention scores of shape `(batch_size * num_beams, Tv)`, zeros
        where there is no attention.
    """

    feeds_back = False

    def __init__(self, cell, **kwargs):
        super().__init__(**kwargs)
        self.supports_masking = True
        self.cell = _check_cell(registry.object_of(cell))

    @property
    def state_size(self):
        return {"cell": plain(self.cell.state_size)}

    @property
    def output_size(self):
        raise NotImplementedError

    @property
    def cell_size(self):
        """Width of the wrapped cell's output."""
        return width_of(self.cell)

    @property
    def num_layers(self):
        """Layers of the wrapped cell."""
        return len(self.cell.cells) if self._is_stack else 1

    @property
    def _is_stack(self):
        return isinstance(self.cell, keras.layers.StackedRNNCells)

    def build(self, inputs_shape, memory_shape):
        self.value_dim = memory_shape["value"][-1]
        self.build_cell(inputs_shape[-1], self.value_dim)

    def build_cell(self, inputs_dim, value_dim):
        raise NotImplementedError

    def prepare_memory(self, memory, memory_mask=None, encoder_states=None):
        prepared = {"value": memory}
        if memory_mask is not None:
            prepared["mask"] = memory_mask
        return prepared

    def get_initial_state(self, batch_size, memory=None):
        """Zeros of `state_size`, for `batch_size` rows."""
        return keras.tree.map_structure(
            lambda size: ops.zeros((batch_size, size), self.compute_dtype),
            self.state_size,
        )

    def draw_noise(self, memory, length):
        """Noise of a training pass over `length` target tokens, or `None`.

        Of shape `(batch_size, length, Tv)`.
        """
        return None

    def cell_inputs(self, inputs, states, memory, noise=None, training=False):
        """What comes before the wrapped cell: nothing, unless filled.

        Args:
            inputs: Float tensor of shape `(rows, dim)`, or
                `(rows, target_length, dim)` where nothing feeds back.
            states: Dict, the states before the step.
            memory, noise, training: As for a call.

        Returns:
            Input of the wrapped cell, of shape `(rows, ..., inputs_dim)`; a
            dict of the states, with what is new by now; and anything else for
            `cell_outputs`.
        """
        return inputs, states, None

    def update(self, inputs, cell_states, training=False):
        """Output and new states of the wrapped cell."""
        return step(self.cell, inputs, cell_states, training)

    def cell_outputs(
        self, outputs, states, passed, memory, noise=None, training=False
    ):
        """What comes after the wrapped cell: nothing, unless filled.

        Args:
            outputs: Float tensor of shape `(rows, cell_size)`, or
                `(rows, target_length, cell_size)` where nothing feeds back.
            states: Dict, with the new states of the wrapped cell.
            passed: The third result of `cell_inputs`.
            memory, noise, training: As for a call.

        Returns:
            Outputs `(rows, ..., output_size)`, the dict of new states, and
            attention scores `(rows, ..., Tv)`.
        """
        return outputs, states, no_scores(outputs, memory)

    def call(self, inputs, states, memory, noise=None, training=False):
        x, states, passed = self.cell_inputs(
            inputs, states, memory, noise, training
        )
        outputs, cell_states = self.update(x, states["cell"], training)
        states = {**states, "cell": cell_states}
        return self.cell_outputs(
            outputs, states, passed, memory, noise, training
        )

    def get_config(self):
        serialize = keras.saving.serialize_keras_object
        return {**super().get_config(), "cell": serialize(self.cell)}


def _check_cell(cell):
    is_loop = isinstance(cell, keras.layers.RNN)
    if is_loop or not hasattr(cell, "state_size"):
        raise ValueError(
            "`cell` must be a Keras cell, such as `keras.layers.GRUCell(256)`, "
            f"not a name and not the layer around a cell. Received: cell={cell}"
        )
    return cell


def no_scores(outputs, memory):
    """Attention scores of a cell without attention: zeros `(..., Tv)`."""
    places = ops.shape(memory["value"])[1]
    return ops.zeros((*ops.shape(outputs)[:-1], places), outputs.dtype)
