import keras

from keras_seq2seq.ops import on_rows


@keras.saving.register_keras_serializable("keras_seq2seq")
class Dense(keras.layers.Dense):
    """Keras's dense layer, as one product of two matrices.

    Same arguments, weights and numbers; see `keras_seq2seq.ops.on_rows`. An
    activation sees the last axis alone.
    """

    def call(self, inputs, training=None):
        return on_rows(super().call, inputs)

    def quantize(self, mode=None, type_check=True, config=None):
        # Keras's check is for subclasses whose numbers are their own.
        super().quantize(mode, type_check=False, config=config)
