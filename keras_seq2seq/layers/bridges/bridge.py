import keras


class Bridge(keras.layers.Layer):
    """Abstract bridge: final states of an encoder to first states of a cell.

    A subclass fills `build(states_shape, state_size, memory_shape)` and
    `call(states, memory, memory_mask)`. `num_layers` is how many layers the
    cell has; a decoder says so before it builds its bridge, and sizes alone do
    not: those of two GRUs are those of an LSTM.

    Call arguments:
        states: Nested float tensors of shape `(batch_size, dim)`. A recurrent
            encoder gives a dict of directions.
        memory: Float tensor of shape `(batch_size, Tv, value_dim)`.
        memory_mask: Boolean tensor of shape `(batch_size, Tv)`, `True` at real
            places, or `None`.

    Returns:
        Float tensors of shape `(batch_size, size)`, in the structure of the
        `state_size` that it was built for.
    """

    num_layers = 1

    def build(self, states_shape, state_size, memory_shape=None):
        raise NotImplementedError

    def call(self, states, memory=None, memory_mask=None):
        raise NotImplementedError

    def get_build_config(self):
        """None: the decoder builds its bridge, with both sides at hand."""


def last_dims(shapes):
    """Last dimension of each of nested shape tuples, in order."""
    dims = []
    keras.tree.map_shape_structure(lambda s: dims.append(s[-1]), shapes)
    return dims


def check_states(states_shape, bridge):
    """Raise unless the encoder has states."""
    if not last_dims(states_shape):
        raise ValueError(
            f"The {bridge} bridge makes first states from the encoder's, and "
            "this encoder has no states. Received: "
            f"states_shape={states_shape}. Use bridge='mean', which makes "
            "them from the memory."
        )
