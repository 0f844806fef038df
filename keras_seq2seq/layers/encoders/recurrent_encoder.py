import copy

import keras
from keras import ops

from keras_seq2seq.layers.encoders.encoder import Encoder
from keras_seq2seq.utils import registry
from keras_seq2seq.utils.axes import check_source
from keras_seq2seq.utils.checks import check_rate
from keras_seq2seq.utils.structures import plain


@keras.saving.register_keras_serializable("keras_seq2seq")
class RecurrentEncoder(Encoder):
    """Recurrent encoder in one or two directions.

    Reads embedded tokens. The outputs of all steps are the memory. Masked steps
    do not change the states and give zeros, so padding at the end changes
    nothing; the backward direction starts at the last real token. The memory is
    always in the order of the source.

    Args:
        cell: A Keras cell, such as `keras.layers.GRUCell(256)`, or a Keras RNN
            layer, such as `keras.layers.GRU(256)`. Only the config is used.
            Unlike a cell, a layer can use a fused kernel on a GPU.
        bidirectional: Boolean. Whether a second copy reads backwards, with
            concatenated outputs. Defaults to `False`.
        reverse: Boolean. Whether a unidirectional encoder reads the source
            backwards. Defaults to `False`.
        dropout: Float in `[0, 1)`. Dropout on the inputs and on the memory.
            Defaults to `0.0`.

    Call arguments:
        inputs: Float tensor of shape `(batch_size, source_length, dim)`.
        mask: Boolean tensor of shape `(batch_size, source_length)`, `True` at
            real steps.
        training: Boolean.

    Returns:
        Memory of shape `(batch_size, source_length, units)`, or `2 * units` if
        bidirectional, and a dict of the final states of the directions
        `"forward"`, `"backward"` or both. The states of a direction are a list
        of the cell's states; for a stack of cells, a list of such lists. The
        final state of the backward direction is the one at the first token.

    Example:

    >>> cell = keras.layers.GRUCell(8)
    >>> encoder = k2s.layers.RecurrentEncoder(cell, bidirectional=True)
    >>> memory, states = encoder(np.ones((2, 5, 4)))
    >>> tuple(memory.shape), sorted(states)
    ((2, 5, 16), ['backward', 'forward'])

    References:
        - [Bahdanau et al., 2015](https://arxiv.org/abs/1409.0473), A.2.1
        - [Sutskever et al., 2014](https://arxiv.org/abs/1409.3215), section
          3.3 (`reverse`)
    """

    def __init__(
        self,
        cell,
        bidirectional=False,
        *,
        reverse=False,
        dropout=0.0,
        **kwargs,
    ):
        super().__init__(**kwargs)
        # A config, not a layer: only the copies made from it have weights.
        self.cell_config = registry.config_of(cell)
        self.bidirectional = bidirectional
        self.reverse = reverse
        self.dropout = check_rate(dropout, "dropout")
        if bidirectional and reverse:
            raise ValueError(
                "A bidirectional encoder has no `reverse`. Received: "
                f"bidirectional={bidirectional}, reverse={reverse}. Use one."
            )
        self.rnn = _build_rnn(self.cell_config, bidirectional, reverse)
        self.dropout_layer = keras.layers.Dropout(
            dropout, dtype=self.dtype_policy, name="dropout"
        )

    def build(self, inputs_shape):
        if not self.rnn.built:
            self.rnn.build(inputs_shape)

    def call(self, inputs, mask=None, training=False):
        check_source(inputs, mask)
        inputs = self.dropout_layer(inputs, training=training)
        memory, *states = self.rnn(inputs, mask=mask, training=training)
        if self.reverse:
            memory = ops.flip(memory, axis=1)
        memory = self.dropout_layer(memory, training=training)
        return memory, self._by_direction(states)

    def _by_direction(self, states):
        if not self.bidirectional:
            only = "backward" if self.reverse else "forward"
            return {only: _group_by_cell(self.rnn.cell, states)}
        cell, half = self.rnn.forward_layer.cell, len(states) // 2
        return {
            "forward": _group_by_cell(cell, states[:half]),
            "backward": _group_by_cell(cell, states[half:]),
        }

    def compute_output_shape(self, inputs_shape):
        memory_shape, *states = self.rnn.compute_output_shape(inputs_shape)
        return memory_shape, self._by_direction(states)

    def get_config(self):
        return {
            **super().get_config(),
            "cell": plain(self.cell_config),
            "bidirectional": self.bidirectional,
            "reverse": self.reverse,
            "dropout": self.dropout,
        }


def _group_by_cell(cell, states):
    """Group states or shapes by cell: a list of lists for stacked cells."""
    if not isinstance(cell, keras.layers.StackedRNNCells):
        return states
    return [_flatten(cell_states) for cell_states in states]


def _flatten(nested):
    """Flatten nested tensors or shapes to a list."""
    leaves = []
    keras.tree.map_shape_structure(leaves.append, nested)
    return leaves


def _build_rnn(config, bidirectional, reverse):
    """Build a Keras RNN layer from the config of a cell or an RNN layer."""
    layer = registry.object_of(config)
    if not hasattr(layer, "state_size"):
        raise ValueError(
            "`cell` must be a Keras cell or a Keras RNN layer, such as "
            f"`keras.layers.GRU(256)`. Received: cell={layer}. For a "
            "`Bidirectional` layer pass the layer inside it and "
            "`bidirectional=True`."
        )
    if not isinstance(layer, keras.layers.RNN):
        layer = keras.layers.RNN(layer)
    if layer.go_backwards:
        raise ValueError(
            "`cell` must read forwards. Received: a layer with "
            "go_backwards=True. Pass `reverse=True` to the encoder instead."
        )
    config = copy.deepcopy(keras.saving.serialize_keras_object(layer))
    config["config"].update(
        return_sequences=True,
        return_state=True,
        zero_output_for_mask=True,
        go_backwards=reverse,
    )
    layer = keras.saving.deserialize_keras_object(config)
    if not bidirectional:
        return layer
    return keras.layers.Bidirectional(layer, name="bidirectional")
