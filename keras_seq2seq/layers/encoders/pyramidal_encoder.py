import keras
from keras import ops

from keras_seq2seq.layers.encoders.encoder_stack import EncoderStack


@keras.saving.register_keras_serializable("keras_seq2seq")
class PyramidalEncoder(EncoderStack):
    """A stack of encoders, each of which halves the length of its input.

    Each encoder reads pairs of consecutive steps of the layer below:
    `h^j_i = encoder_j([h^{j-1}_{2i}; h^{j-1}_{2i+1}])`. With `n` encoders the
    memory has one position for `2^n` steps. A pair is masked if both of its
    steps are. Masked steps, and the missing step of an odd length, are zeros,
    so padding at the end changes nothing.

    Args:
        encoders: List of encoders, from the bottom up, such as
            `RecurrentEncoder`. To start with a layer at full length, put it and
            this encoder into a `StackedEncoder`.
        dropout: Float in `[0, 1)`. Dropout on the input of each encoder and on
            the memory. Defaults to `0.0`.

    Call arguments:
        inputs: Float tensor of shape `(batch_size, source_length, dim)`.
        mask: Boolean tensor of shape `(batch_size, source_length)`, `True` at
            real steps.
        training: Boolean.

    Returns:
        Memory of the top encoder, of shape `(batch_size, Tv, value_dim)` with
        `Tv = ceil(source_length / 2^n)`, and a dict of direction -> final
        states, a list with the states of each layer, from the bottom up.

    Example:

    >>> def layer():
    ...     return k2s.layers.RecurrentEncoder(
    ...         keras.layers.LSTM(8), bidirectional=True
    ...     )
    >>> encoder = k2s.layers.StackedEncoder(
    ...     [layer(), k2s.layers.PyramidalEncoder([layer(), layer()])]
    ... )
    >>> memory, states = encoder(np.ones((2, 9, 4)))
    >>> tuple(memory.shape)
    (2, 3, 16)

    References:
        - [Chan et al., 2015](https://arxiv.org/abs/1508.01211), eq. 5
    """

    enter_stride = 2

    def enter(self, inputs, mask):
        if mask is not None:
            mask = ops.expand_dims(mask, -1)
            inputs = ops.where(mask, inputs, ops.zeros_like(inputs))
        return ops.concatenate(_halves(inputs), axis=-1)

    def enter_mask(self, mask):
        return ops.logical_or(*_halves(ops.cast(mask, "bool")))

    def enter_shape(self, shape):
        batch, length, dim = shape
        half = None if length is None else (length + 1) // 2
        return batch, half, 2 * dim


def _halves(x):
    """First and second step of each pair, zero-padded to an even length."""
    longer = ops.concatenate([x, ops.zeros_like(x[:, :1])], axis=1)
    return x[:, ::2], longer[:, 1::2]
