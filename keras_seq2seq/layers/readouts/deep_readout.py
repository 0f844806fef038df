import keras
from keras import ops

from keras_seq2seq.layers.dense import Dense
from keras_seq2seq.layers.readouts.readout import Readout
from keras_seq2seq.utils.checks import check_rate
from keras_seq2seq.utils.sizes import check_dimension


@keras.saving.register_keras_serializable("keras_seq2seq")
class DeepReadout(Readout):
    """Deep output: a maxout layer over the decoder's output and its input.

    `t_j = max(t~_j, t~_{j + units})` with `t~ = W [output; embedded] + b`. With
    `BahdanauCell` the output is `[s_i; c_i]`, so
    `t~_i = U_o s_i + C_o c_i + V_o E y_{i-1} + b`: the layer sees the state,
    the context and the previous token, as in eq. 4. (A.2.2 uses `s_{i-1}`, has
    no `b` and takes the maximum of adjacent units, which is the same up to the
    order of the units.) The mask of the outputs is passed on.

    Args:
        units: Integer. Width after the maxout. Defaults to `None`, half the
            width of the output.
        dropout: Float in `[0, 1)`. Dropout on the result. Defaults to `0.0`.

    Call arguments:
        outputs: Float tensor of shape `(..., output_size)`.
        embedded: Float tensor of shape `(..., embedding_dim)`.
        training: Boolean.

    Returns:
        Float tensor of shape `(..., units)`.

    Example:

    >>> readout = k2s.layers.DeepReadout(units=5)
    >>> tuple(readout(np.ones((2, 3, 8)), np.ones((2, 3, 4))).shape)
    (2, 3, 5)

    References:
        - [Bahdanau et al., 2015](https://arxiv.org/abs/1409.0473), eq. 4
          and A.2.2
        - [Goodfellow et al., 2013](https://arxiv.org/abs/1302.4389)
    """

    def __init__(self, units=None, *, dropout=0.0, **kwargs):
        super().__init__(**kwargs)
        self.supports_masking = True
        if units is not None:
            units = check_dimension(units, "units")
        self.units = units
        self.dropout = check_rate(dropout, "dropout")
        self.dropout_layer = keras.layers.Dropout(
            dropout, dtype=self.dtype_policy, name="dropout"
        )

    def _width(self, outputs_shape):
        return self.units or max(1, outputs_shape[-1] // 2)

    def build(self, outputs_shape, embedded_shape):
        self.hidden = Dense(
            2 * self._width(outputs_shape),
            dtype=self.dtype_policy,
            name="hidden",
        )
        self.hidden.build((None, outputs_shape[-1] + embedded_shape[-1]))

    def call(self, outputs, embedded, training=False):
        x = self.hidden(ops.concatenate([outputs, embedded], axis=-1))
        units = x.shape[-1] // 2
        x = ops.maximum(x[..., :units], x[..., units:])
        return self.dropout_layer(x, training=training)

    def compute_output_shape(self, outputs_shape, embedded_shape):
        return (*outputs_shape[:-1], self._width(outputs_shape))

    def get_config(self):
        return {
            **super().get_config(),
            "units": self.units,
            "dropout": self.dropout,
        }
