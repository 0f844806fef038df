import keras
from keras import ops

from keras_seq2seq.layers.bridges.bridge import Bridge
from keras_seq2seq.utils.structures import plain


@keras.saving.register_keras_serializable("keras_seq2seq")
class ZeroBridge(Bridge):
    """Zeros as initial states: only attention shows the decoder the source.

    No weights. Fits any encoder to any cell.

    Call arguments:
        states: Nested float tensors of shape `(batch_size, dim)`.
        memory: Float tensor of shape `(batch_size, Tv, value_dim)`. Optional if
            `states` has tensors.

    Returns:
        Zeros of shape `(batch_size, size)`, in the structure of the decoder's
        `state_size`.

    Example:

    >>> bridge = k2s.layers.ZeroBridge()
    >>> bridge.build({"forward": [(None, 3)]}, state_size=[8, 8])
    >>> states = bridge({"forward": [keras.ops.ones((2, 3))]})
    >>> [tuple(state.shape) for state in states]
    [(2, 8), (2, 8)]
    """

    def build(self, states_shape, state_size, memory_shape=None):
        self.state_size = state_size

    def call(self, states, memory=None, memory_mask=None):
        known = states if memory is None else memory
        rows = ops.shape(keras.tree.flatten(known)[0])[0]
        return keras.tree.map_structure(
            lambda size: ops.zeros((rows, size), self.compute_dtype),
            plain(self.state_size),
        )
