import keras


class AttentionNormalizer(keras.layers.Layer):
    """Abstract normalizer: energies to weights.

    Call arguments:
        energies: Float tensor of shape `(batch_size, Tq, Tv)`.
        value_mask: Boolean tensor of shape `(batch_size, Tv)`, `True` at real
            places, or `None`.

    Returns:
        Weights of the shape of `energies`: zero at masked places, and all
        zero where every place of a row is masked.
    """

    def call(self, energies, value_mask=None):
        raise NotImplementedError
