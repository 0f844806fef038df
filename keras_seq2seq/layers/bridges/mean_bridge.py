import keras

from keras_seq2seq.layers.bridges.dense_bridge import DenseBridge
from keras_seq2seq.ops import masked_mean


@keras.saving.register_keras_serializable("keras_seq2seq")
class MeanBridge(DenseBridge):
    """Dense layer from the mean of the memory to each initial state.

    `s_0 = activation(W_init mean_t(memory_t) + b)`, where each state tensor of
    the decoder's cell has its own `W_init` and `b`. The mean is over the real
    positions; a source that is all padding has a mean of zeros. Fits any
    encoder to any cell; the encoder's states are not used.

    Args:
        activation: Name or callable. Defaults to `"tanh"`.

    Call arguments:
        states: Not used.
        memory: Float tensor of shape `(batch_size, Tv, value_dim)`.
        memory_mask: Boolean tensor of shape `(batch_size, Tv)`, `True` at real
            positions, or `None`.

    Returns:
        Float tensors of shape `(batch_size, size)`, in the structure of the
        decoder's `state_size`.

    Example:

    >>> bridge = k2s.layers.MeanBridge()
    >>> bridge.build({}, state_size=[8, 8], memory_shape=(None, None, 6))
    >>> states = bridge({}, keras.ops.ones((2, 5, 6)))
    >>> [tuple(state.shape) for state in states]
    [(2, 8), (2, 8)]

    References:
        - [Sennrich et al., 2017](https://arxiv.org/abs/1703.04357), section 2
    """

    def build(self, states_shape, state_size, memory_shape=None):
        if memory_shape is None:
            raise ValueError(
                "The mean bridge needs the shape of the memory. Received: "
                "memory_shape=None"
            )
        super().build([memory_shape], state_size)

    def call(self, states, memory=None, memory_mask=None):
        return super().call([masked_mean(memory, memory_mask)])
