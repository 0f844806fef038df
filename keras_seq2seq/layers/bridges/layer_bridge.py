import keras

from keras_seq2seq.layers.bridges.bridge import Bridge
from keras_seq2seq.layers.bridges.bridge import check_states
from keras_seq2seq.layers.bridges.bridge import last_dims
from keras_seq2seq.layers.recurrent.final_states import layers_of
from keras_seq2seq.utils.structures import plain

DIRECTIONS = ("forward", "backward")


@keras.saving.register_keras_serializable("keras_seq2seq")
class LayerBridge(Bridge):
    """Copies the final state of an encoder layer to each decoder layer.

    No weights. For an encoder with `F` forward and `B` backward layers,
    `mapping` is the first of these that has as many layers as the decoder:

    - `F + B` layers, in the order forward 1, backward 1, forward 2, backward 2
      and so on. A bidirectional encoder of one layer fits a decoder of two.
    - `max(F, B)` layers. A bidirectional layer passes on its backward state,
      which has read the whole source. Bidirectional layers are at the bottom,
      as in GNMT.

    Call arguments:
        states: Dict of direction -> nested float tensors of shape
            `(batch_size, dim)`, from the bottom layer up.

    Returns:
        Float tensors of shape `(batch_size, size)`, in the structure of the
        decoder's `state_size`.

    Example:

    >>> bridge = k2s.layers.LayerBridge()
    >>> bridge.num_layers = 2  # set by a decoder
    >>> shapes = {"forward": [(None, 3)], "backward": [(None, 3)]}
    >>> bridge.build(shapes, state_size=[3, 3])
    >>> bridge.mapping
    [('forward', 0), ('backward', 0)]

    References:
        - [tensorflow/nmt](https://github.com/tensorflow/nmt), `_build_encoder`
          of `model.py` and of `gnmt_model.py`
    """

    def build(self, states_shape, state_size, memory_shape=None):
        check_states(states_shape, "layer")
        self.state_size = state_size
        given = {n: _sizes_by_layer(x) for n, x in states_shape.items()}
        expected = _cell_sizes(plain(state_size), self.num_layers)
        for mapping in _mappings(given, len(expected)):
            if [given[name][i] for name, i in mapping] == expected:
                self.mapping = mapping
                return
        raise ValueError(
            "The layer bridge needs an encoder layer with states of the same "
            "sizes for each decoder layer. The decoder must have as many "
            "layers as both directions together, or as the longer direction. "
            f"Received: encoder={given}, decoder={plain(state_size)}. Change "
            "the layers or their units, or use bridge='dense'."
        )

    def call(self, states, memory=None, memory_mask=None):
        layers = {name: layers_of(x) for name, x in states.items()}
        new = [layers[name][i] for name, i in self.mapping]
        return self.pack_states(keras.tree.flatten(new))


def _sizes_by_layer(states_shape):
    """State sizes of a direction: a list with one tuple per layer."""
    return [tuple(last_dims(shapes)) for shapes in layers_of(states_shape)]


def _cell_sizes(state_size, num_layers):
    """State sizes of a cell: a list with one tuple per layer."""
    layers = [state_size] if num_layers == 1 else state_size
    return [tuple(keras.tree.flatten(size)) for size in layers]


def _mappings(layers, count):
    """Yield the possible lists of `count` pairs `(direction, layer index)`."""
    forward, backward = (len(layers.get(name, ())) for name in DIRECTIONS)
    if count == forward + backward:
        yield [
            (name, i)
            for i in range(count)
            for name in DIRECTIONS
            if i < len(layers.get(name, ()))
        ]
    if count == max(forward, backward):
        yield [
            ("backward" if i < backward else "forward", i) for i in range(count)
        ]
