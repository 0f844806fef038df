import keras
from keras import ops

from keras_seq2seq.layers.recurrent.keras_cell import step
from keras_seq2seq.layers.recurrent.keras_cell import width_of
from keras_seq2seq.utils import registry
from keras_seq2seq.utils.structures import plain


class DecoderCell(keras.layers.Layer):
    """Abstract decoder cell: one step, for one target token.

    A decoder cell wraps a recurrent Keras cell and has access to the encoder's
    memory. A step has three parts: `cell_inputs` computes the input of the
    wrapped cell, `update` runs the cell, and `cell_outputs` computes the
    output. If `cell_inputs` does not depend on previous steps (`feeds_back` is
    `False`), a decoder trains faster: it runs the wrapped cell over the whole
    target in one Keras layer, and `cell_outputs` once for all steps. In search
    all three run token by token.

    A subclass implements `build_cell(inputs_dim, value_dim)` and `output_size`;
    `cell_inputs` and `cell_outputs` as needed; and `state_size` if it has more
    states than the wrapped cell. A step is pure: it draws no random numbers and
    stores nothing on the layer.

    `prepare_memory` runs once per sequence and also receives the encoder's
    final states. Its result is passed to each step unchanged. States are a
    dict, whose entry `"cell"` holds the states of the wrapped cell and is
    initialized by the bridge.

    Args:
        cell: A Keras cell, such as `keras.layers.GRUCell(256)`.

    Call arguments:
        inputs: Float tensor of shape `(batch_size * num_beams, dim)`.
        states: Nested float tensors of shape `(batch_size * num_beams, ...)`.
        memory: The result of `prepare_memory`. It has `batch_size` rows for any
            number of beams: the beams of a source are queries on one memory.
        noise: Float tensor of shape `(batch_size * num_beams, Tv)`, the noise
            of `draw_noise` for this step, or `None`.
        training: Boolean.

    Returns:
        Output of shape `(batch_size * num_beams, output_size)`, new states, and
        attention scores of shape `(batch_size * num_beams, Tv)`, which are
        zeros without attention.
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
        """Number of layers of the wrapped cell."""
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
        """Initial states: zeros of shape `(batch_size, size)`."""
        return keras.tree.map_structure(
            lambda size: ops.zeros((batch_size, size), self.compute_dtype),
            self.state_size,
        )

    def draw_noise(self, memory, length):
        """Noise for training on `length` target tokens, or `None`.

        Its shape is `(batch_size, length, Tv)`.
        """
        return None

    def cell_inputs(self, inputs, states, memory, noise=None, training=False):
        """Compute the input of the wrapped cell; by default, `inputs`.

        Args:
            inputs: Float tensor of shape `(rows, dim)`, or
                `(rows, target_length, dim)` if `feeds_back` is `False`.
            states: Dict of the states before the step.
            memory, noise, training: As in a call.

        Returns:
            Input of the wrapped cell, of shape `(rows, ..., inputs_dim)`; the
            dict of states, with those that are updated already; and any value
            to pass to `cell_outputs`.
        """
        return inputs, states, None

    def update(self, inputs, cell_states, training=False):
        """Output and new states of the wrapped cell."""
        return step(self.cell, inputs, cell_states, training)

    def cell_outputs(
        self, outputs, states, passed, memory, noise=None, training=False
    ):
        """Compute the output of the step; by default, `outputs`.

        Args:
            outputs: Float tensor of shape `(rows, cell_size)`, or
                `(rows, target_length, cell_size)` if `feeds_back` is `False`.
            states: Dict of states, with the new states of the wrapped cell.
            passed: The third result of `cell_inputs`.
            memory, noise, training: As in a call.

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
            f"not a name and not an RNN layer. Received: cell={cell}"
        )
    return cell


def no_scores(outputs, memory):
    """Attention scores of a cell without attention: zeros `(..., Tv)`."""
    positions = ops.shape(memory["value"])[1]
    return ops.zeros((*ops.shape(outputs)[:-1], positions), outputs.dtype)
