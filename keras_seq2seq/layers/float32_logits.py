import keras
from keras import ops


@keras.saving.register_keras_serializable("keras_seq2seq")
class Float32Logits(keras.layers.Layer):
    """Logits in float32, with the mask of the target's embedding.

    The mask makes Keras's losses and metrics skip padding, for any output
    layer.

    Call arguments:
        inputs: List of the logits and the embedded target.

    Returns:
        Float32 tensor of the shape of the logits.
    """

    def __init__(self, **kwargs):
        super().__init__(dtype="float32", autocast=False, **kwargs)
        self.supports_masking = True

    def call(self, inputs):
        logits, _ = inputs
        return ops.cast(logits, "float32")

    def compute_mask(self, inputs, previous_mask=None):
        return None if previous_mask is None else previous_mask[1]

    def compute_output_shape(self, inputs_shape):
        return inputs_shape[0]
