import keras

from keras_seq2seq.layers.readouts.readout import Readout
from keras_seq2seq.utils.checks import check_rate


@keras.saving.register_keras_serializable("keras_seq2seq")
class DirectReadout(Readout):
    """Passes the decoder's output on unchanged, except for dropout.

    The mask of the outputs is passed on.

    Args:
        dropout: Float in `[0, 1)`. Dropout on the output. Defaults to `0.0`.

    Call arguments:
        outputs: Float tensor of shape `(..., output_size)`.
        embedded: Not used.
        training: Boolean.

    Returns:
        Float tensor of shape `(..., output_size)`.

    Example:

    >>> readout = k2s.layers.DirectReadout()
    >>> tuple(readout(np.ones((2, 3, 8)), np.ones((2, 3, 4))).shape)
    (2, 3, 8)

    References:
        - [Luong et al., 2015](https://arxiv.org/abs/1508.04025), eq. 6
    """

    def __init__(self, dropout=0.0, **kwargs):
        super().__init__(**kwargs)
        self.supports_masking = True
        self.dropout = check_rate(dropout, "dropout")
        self.dropout_layer = keras.layers.Dropout(
            dropout, dtype=self.dtype_policy, name="dropout"
        )

    def call(self, outputs, embedded, training=False):
        return self.dropout_layer(outputs, training=training)

    def compute_output_shape(self, outputs_shape, embedded_shape):
        return outputs_shape

    def get_config(self):
        return {**super().get_config(), "dropout": self.dropout}
