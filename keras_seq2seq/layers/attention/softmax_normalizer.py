import keras
from keras import ops

from keras_seq2seq.layers.attention.attention_normalizer import (
    AttentionNormalizer,
)
from keras_seq2seq.ops import masked_softmax


@keras.saving.register_keras_serializable("keras_seq2seq")
class SoftmaxNormalizer(AttentionNormalizer):
    """Softmax over the memory, the usual normalizer.

    `weights = softmax(energies)` over the places where `value_mask` is `True`;
    a row with none gives zeros.

    Call arguments:
        energies: Float tensor of shape `(batch_size, Tq, Tv)`.
        value_mask: Boolean tensor of shape `(batch_size, Tv)`, `True` at real
            places, or `None`.

    Returns:
        Float tensor of shape `(batch_size, Tq, Tv)`.

    Example:

    >>> normalizer = k2s.layers.SoftmaxNormalizer()
    >>> energies = keras.ops.zeros((1, 1, 4))
    >>> mask = keras.ops.array([[True, True, False, False]])
    >>> print(keras.ops.convert_to_numpy(normalizer(energies, mask)))
    [[[0.5 0.5 0.  0. ]]]
    """

    def call(self, energies, value_mask=None):
        if value_mask is not None:
            value_mask = ops.expand_dims(value_mask, 1)
        return masked_softmax(energies, value_mask)
