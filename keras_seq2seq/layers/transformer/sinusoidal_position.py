import keras
import numpy as np
from keras import ops

from keras_seq2seq.layers.transformer.position import Position
from keras_seq2seq.layers.transformer.position import angles
from keras_seq2seq.utils.checks import check_positive


@keras.saving.register_keras_serializable("keras_seq2seq")
class SinusoidalPosition(Position):
    """Sines and cosines of the position, added to the inputs; no weights.

    `PE(pos, 2i) = sin(pos / wavelength^(2i / dim))` and
    `PE(pos, 2i + 1) = cos(pos / wavelength^(2i / dim))`. Any length will do.

    Args:
        max_wavelength: Number above 0. Defaults to `10000`.

    Call arguments:
        inputs: Float tensor of shape `(batch_size, length, dim)`.
        first: Integer or integer scalar, the position of the first input; or
            integers of shape `(batch_size,)`.

    Returns:
        Float tensor of the shape of `inputs`.

    Example:

    >>> position = k2s.layers.SinusoidalPosition()
    >>> print(keras.ops.convert_to_numpy(position(np.zeros((1, 1, 4)))))
    [[[0. 1. 0. 1.]]]

    References:
        - [Vaswani et al., 2017](https://arxiv.org/abs/1706.03762), section 3.5
    """

    def __init__(self, max_wavelength=10000, **kwargs):
        super().__init__(**kwargs)
        self.max_wavelength = check_positive(max_wavelength, "max_wavelength")

    def call(self, inputs, first=0):
        even = 2 * (np.arange(inputs.shape[-1]) // 2)
        rates = self.max_wavelength ** (-even / inputs.shape[-1])
        turns = angles(ops.shape(inputs)[1], first, rates)
        is_even = np.arange(inputs.shape[-1]) % 2 == 0
        added = ops.where(is_even, ops.sin(turns), ops.cos(turns))
        return inputs + ops.cast(added, inputs.dtype)

    def get_config(self):
        config = super().get_config()
        return {**config, "max_wavelength": self.max_wavelength}
