import keras
from keras import ops

from keras_seq2seq.layers.bridges.bridge import Bridge
from keras_seq2seq.layers.bridges.bridge import check_states
from keras_seq2seq.layers.bridges.bridge import last_dims


@keras.saving.register_keras_serializable("keras_seq2seq")
class DenseBridge(Bridge):
    """Dense layer from all final states to each initial state.

    `s_0 = activation(W_s [all encoder states] + b)`, where each state tensor of
    the decoder's cell has its own `W_s` and `b`. Fits any encoder to any cell.
    A source that is all padding leaves the encoder's states at zero.

    Args:
        activation: Name or callable. Defaults to `"tanh"`.

    Call arguments:
        states: Nested float tensors of shape `(batch_size, dim)`.

    Returns:
        Float tensors of shape `(batch_size, size)`, in the structure of the
        decoder's `state_size`.

    Example:

    >>> bridge = k2s.layers.DenseBridge()
    >>> bridge.build({"forward": [(None, 3)]}, state_size=[8, 8])
    >>> states = bridge({"forward": [keras.ops.ones((2, 3))]})
    >>> [tuple(state.shape) for state in states]
    [(2, 8), (2, 8)]

    References:
        - [Bahdanau et al., 2015](https://arxiv.org/abs/1409.0473), A.2.2 (there
          from the backward state only)
    """

    def __init__(self, activation="tanh", **kwargs):
        super().__init__(**kwargs)
        self.activation = keras.activations.get(activation)

    def build(self, states_shape, state_size, memory_shape=None):
        check_states(states_shape, "dense")
        self.state_size = state_size
        width = sum(last_dims(states_shape))
        self.projections = [
            keras.layers.Dense(
                size,
                activation=self.activation,
                dtype=self.dtype_policy,
                name=f"state_{i}",
            )
            for i, size in enumerate(keras.tree.flatten(state_size))
        ]
        for projection in self.projections:
            projection.build((None, width))

    def call(self, states, memory=None, memory_mask=None):
        states = ops.concatenate(keras.tree.flatten(states), axis=-1)
        new = [projection(states) for projection in self.projections]
        return self.pack_states(new)

    def get_config(self):
        activation = keras.activations.serialize(self.activation)
        return {**super().get_config(), "activation": activation}
