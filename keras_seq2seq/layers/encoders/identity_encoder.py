import keras

from keras_seq2seq.layers.encoders.encoder import Encoder
from keras_seq2seq.utils.axes import check_source


@keras.saving.register_keras_serializable("keras_seq2seq")
class IdentityEncoder(Encoder):
    """Returns its inputs as the memory; no weights and no states.

    For a decoder that reads the source itself, such as `PrefixDecoder`.

    Call arguments:
        inputs: Float tensor of shape `(batch_size, source_length, dim)`.
        mask: Boolean tensor of shape `(batch_size, source_length)`, `True` at
            real positions.
        training: Boolean.

    Returns:
        `inputs`, and an empty dict.

    Example:

    >>> memory, states = k2s.layers.IdentityEncoder()(np.ones((2, 5, 4)))
    >>> tuple(memory.shape), states
    ((2, 5, 4), {})
    """

    def call(self, inputs, mask=None, training=False):
        check_source(inputs, mask)
        return inputs, {}

    def compute_output_shape(self, inputs_shape):
        return inputs_shape, {}
