import keras

from keras_seq2seq.utils.structures import plain


class Bridge(keras.layers.Layer):
    """Abstract bridge: an encoder's final states to a cell's initial states.

    A subclass implements `build(states_shape, state_size, memory_shape)`, which
    keeps `state_size`, and `call(states, memory, memory_mask)`, which may end
    with `pack_states`. A decoder sets `num_layers`, the number of layers of its
    cell, before it builds the bridge. The sizes alone do not tell it: two GRU
    layers have the same sizes as one LSTM layer.

    Call arguments:
        states: Nested float tensors of shape `(batch_size, dim)`. For a
            recurrent encoder a dict of direction -> states.
        memory: Float tensor of shape `(batch_size, Tv, value_dim)`.
        memory_mask: Boolean tensor of shape `(batch_size, Tv)`, `True` at real
            positions, or `None`.

    Returns:
        Float tensors of shape `(batch_size, size)`, in the structure of the
        decoder's `state_size`.
    """

    num_layers = 1

    def build(self, states_shape, state_size, memory_shape=None):
        raise NotImplementedError

    def call(self, states, memory=None, memory_mask=None):
        raise NotImplementedError

    def pack_states(self, states):
        """List of tensors in the structure of `state_size`."""
        return keras.tree.pack_sequence_as(plain(self.state_size), states)

    def get_build_config(self):
        """Return `None`: a bridge is built by its decoder."""


def last_dims(shapes):
    """List of the last dimensions of nested shape tuples."""
    dims = []
    keras.tree.map_shape_structure(lambda s: dims.append(s[-1]), shapes)
    return dims


def check_states(states_shape, bridge):
    """Raise unless the encoder has states."""
    if not last_dims(states_shape):
        raise ValueError(
            f"The {bridge} bridge needs the encoder's final states, and this "
            f"encoder has none. Received: states_shape={states_shape}. Use "
            "bridge='mean', which uses the memory instead."
        )
