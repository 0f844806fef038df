import keras
from keras import ops

from keras_seq2seq.layers.encoders.encoder_stack import EncoderStack


@keras.saving.register_keras_serializable("keras_seq2seq")
class PyramidalEncoder(EncoderStack):
    """Encoders one on the other, each after time is halved.

    Each reads pairs of neighbouring steps of what is below,
    `h^j_i = encoder_j([h^{j-1}_{2i}; h^{j-1}_{2i+1}])`, so with `n` encoders
    the memory has one place for `2^n` steps. A pair is real where one of its
    steps is; a step that is masked, or missing at an odd end, is zeros. So
    padding at the end changes nothing.

    Args:
        encoders: List of encoders, from the bottom up, such as
            `RecurrentEncoder`. For a layer at full length below, put both in a
            `StackedEncoder`.
        dropout: Float in `[0, 1)`. Dropout on what each encoder reads, and on
            the memory. Defaults to `0.0`.

    Call arguments:
        inputs: Float tensor of shape `(batch_size, source_length, dim)`.
        mask: Boolean tensor of shape `(batch_size, source_length)`, `True` at
            real steps.
        training: Boolean.

    Returns:
        Memory of the top encoder, of shape `(batch_size, Tv, value_dim)` with
        `Tv = ceil(source_length / 2^n)`, and a dict of the final states by
        direction, each a list of the states of all encoders that have it, one
        list a layer.

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
    """First and second step of each pair; zeros after an odd end."""
    longer = ops.concatenate([x, ops.zeros_like(x[:, :1])], axis=1)
    return x[:, ::2], longer[:, 1::2]
