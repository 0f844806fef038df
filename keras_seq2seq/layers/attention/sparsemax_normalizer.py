import keras

from keras_seq2seq.layers.attention.attention_normalizer import (
    AttentionNormalizer,
)
from keras_seq2seq.ops import masked_sparsemax


@keras.saving.register_keras_serializable("keras_seq2seq")
class SparsemaxNormalizer(AttentionNormalizer):
    """Sparsemax over the memory: most weights are exactly zero.

    `sparsemax(z) = argmin_p ||p - z||^2` of the energies `z`, over all
    non-negative `p` that sum to 1. The solution is `max(z - tau, 0)`, with the
    threshold `tau` that makes the sum 1. Only positions where `value_mask` is
    `True` take part. A row that is fully masked gives zeros.

    Call arguments:
        energies: Float tensor of shape `(batch_size, Tq, Tv)`.
        value_mask: Boolean tensor of shape `(batch_size, Tv)`, or
            `(batch_size, Tq, Tv)`, `True` at real positions, or `None`.

    Returns:
        Float tensor of shape `(batch_size, Tq, Tv)`.

    Example:

    >>> normalizer = k2s.layers.SparsemaxNormalizer()
    >>> energies = keras.ops.array([[[0.5, 1.0, -1.0]]])
    >>> print(keras.ops.convert_to_numpy(normalizer(energies)))
    [[[0.25 0.75 0.  ]]]

    References:
        - [Martins & Astudillo, 2016](https://arxiv.org/abs/1602.02068), eq. 2,
          algorithm 1
    """

    def normalize(self, energies, mask):
        return masked_sparsemax(energies, mask)
