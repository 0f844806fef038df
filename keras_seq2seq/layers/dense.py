import keras

from keras_seq2seq.ops import on_rows
from keras_seq2seq.utils.sizes import check_fits


@keras.saving.register_keras_serializable("keras_seq2seq")
class Dense(keras.layers.Dense):
    """Keras's dense layer, computed as one product of two matrices.

    Arguments, weights and results are the same; see
    `keras_seq2seq.ops.on_rows`. The activation is applied to the last axis
    only.
    """

    def build(self, input_shape):
        sizes = {"units": self.units, "width of the inputs": input_shape[-1]}
        check_fits("The kernel of a dense layer", sizes)
        super().build(input_shape)

    def call(self, inputs, training=None):
        return on_rows(super().call, inputs)

    def quantize(self, mode=None, type_check=True, config=None):
        # Keras's check rejects subclasses; this one computes the same.
        super().quantize(mode, type_check=False, config=config)
