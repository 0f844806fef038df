import keras


class Readout(keras.layers.Layer):
    """Abstract readout: computes the input of the output layer.

    Call arguments:
        outputs: Float tensor of shape `(..., output_size)`, from the decoder.
        embedded: Float tensor of shape `(..., embedding_dim)`, the decoder's
            inputs.
        training: Boolean.

    Returns:
        Float tensor of shape `(..., units)`.
    """

    def call(self, outputs, embedded, training=False):
        raise NotImplementedError
