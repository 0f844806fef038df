import keras

from keras_seq2seq.layers.bridges.bridge import Bridge
from keras_seq2seq.layers.bridges.bridge import check_states
from keras_seq2seq.layers.bridges.bridge import last_dims
from keras_seq2seq.layers.recurrent.final_states import layers_of
from keras_seq2seq.utils.structures import plain

DIRECTIONS = ("forward", "backward")


@keras.saving.register_keras_serializable("keras_seq2seq")
class LayerBridge(Bridge):
    """Each layer of the decoder begins with the final state of one layer.

    No weights. With `F` layers of the encoder that read forward and `B` that
    read backward, `mapping` is the first of these that gives as many layers as
    the decoder has:

    - `F + B`, layer by layer: forward 1, backward 1, forward 2, backward 2 and
      so on. A bidirectional encoder of one layer fits a decoder of two.
    - `max(F, B)`: a layer that reads in both directions hands over its
      backward state, which has read the whole source. Layers in both
      directions are at the bottom. It is how GNMT's encoder fits its decoder.

    Call arguments:
        states: Dict of directions, each nested float tensors of shape
            `(batch_size, dim)`, from the bottom layer up.

    Returns:
        Float tensors of shape `(batch_size, size)`, in the structure of the
        `state_size` that it was built for.

    Example:

    >>> bridge = k2s.layers.LayerBridge()
    >>> bridge.num_layers = 2  # a decoder says so itself
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
        given = {n: _by_layer(x) for n, x in states_shape.items()}
        wanted = _layers(plain(state_size), self.num_layers)
        for mapping in _mappings(given, len(wanted)):
            if [given[name][i] for name, i in mapping] == wanted:
                self.mapping = mapping
                return
        raise ValueError(
            "The layer bridge needs, for each layer of the decoder, a layer of "
            "the encoder with states of the same sizes: as many layers as its "
            "two directions have together, or as the longer one has. Received: "
            f"encoder={given}, decoder={plain(state_size)}. Change the layers "
            "or their units, or use bridge='dense'."
        )

    def call(self, states, memory=None, memory_mask=None):
        layers = {name: layers_of(x) for name, x in states.items()}
        new = [layers[name][i] for name, i in self.mapping]
        return keras.tree.pack_sequence_as(
            plain(self.state_size), keras.tree.flatten(new)
        )


def _by_layer(states_shape):
    """Sizes of the states of a direction: a list of tuples, one a layer."""
    return [tuple(last_dims(shapes)) for shapes in layers_of(states_shape)]


def _layers(state_size, num_layers):
    """Sizes of the states of a cell: a list of tuples, one a layer."""
    layers = [state_size] if num_layers == 1 else state_size
    return [tuple(keras.tree.flatten(size)) for size in layers]


def _mappings(layers, count):
    """Lists of `count` pairs of direction and layer, those that there are."""
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
