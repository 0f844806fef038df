import keras

from keras_seq2seq.layers.bridges.dense_bridge import DenseBridge


@keras.saving.register_keras_serializable("keras_seq2seq")
class BackwardBridge(DenseBridge):
    """Dense layer from the encoder's backward state to each initial state.

    `s_0 = activation(W_s h_1 + b)`, where `h_1` is the backward state at the
    first token, which has read the whole source. Each state tensor of the
    decoder's cell has its own `W_s` and `b`; the paper has no `b`. Padding at
    the end does not change `h_1`; a source that is all padding leaves it at
    zero.

    Args:
        activation: Name or callable. Defaults to `"tanh"`.

    Call arguments:
        states: Dict of direction -> nested float tensors of shape
            `(batch_size, dim)`, with an entry `"backward"`.

    Returns:
        Float tensors of shape `(batch_size, size)`, in the structure of the
        decoder's `state_size`.

    Example:

    >>> bridge = k2s.layers.BackwardBridge()
    >>> shapes = {"forward": [(None, 3)], "backward": [(None, 3)]}
    >>> bridge.build(shapes, state_size=8)
    >>> state = keras.ops.ones((2, 3))
    >>> tuple(bridge({"forward": [state], "backward": [state]}).shape)
    (2, 8)

    References:
        - [Bahdanau et al., 2015](https://arxiv.org/abs/1409.0473), A.2.2
    """

    def build(self, states_shape, state_size, memory_shape=None):
        given = sorted(states_shape) if isinstance(states_shape, dict) else []
        if "backward" not in given:
            raise ValueError(
                "The backward bridge needs an encoder with a backward "
                f"direction. Received: encoder with {given}, "
                f"decoder={keras.tree.flatten(state_size)}. Use an encoder "
                "with bidirectional=True, or bridge='dense'."
            )
        super().build(states_shape["backward"], state_size, memory_shape)

    def call(self, states, memory=None, memory_mask=None):
        return super().call(states["backward"], memory, memory_mask)
