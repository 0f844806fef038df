import keras
import numpy as np
from keras import ops

from keras_seq2seq.layers.transformer.position import Position
from keras_seq2seq.layers.transformer.position import angles
from keras_seq2seq.utils.checks import check_positive


@keras.saving.register_keras_serializable("keras_seq2seq")
class RotaryPosition(Position):
    """Rotation of queries and keys by an angle that grows with the position.

    At position `m` the pair of entries `i` and `i + head_dim / 2` turns by
    `m theta_i`, `theta_i = wavelength^(-2i / head_dim)`, so a product of query
    and key depends on their distance alone. No weights; the inputs stay as they
    are. (The paper counts `i` from 1 and pairs neighbours, which is the same up
    to the order of the entries.)

    Args:
        max_wavelength: Number above 0. Defaults to `10000`.

    Call arguments:
        inputs: Float tensor of shape `(batch_size, length, dim)`.

    Returns:
        `inputs`.

    Example:

    >>> position = k2s.layers.RotaryPosition()
    >>> tuple(position.rotation(length=3, head_dim=8).shape)
    (2, 3, 4)

    References:
        - [Su et al., 2021](https://arxiv.org/abs/2104.09864), eq. 34
    """

    def __init__(self, max_wavelength=10000, **kwargs):
        super().__init__(**kwargs)
        self.max_wavelength = check_positive(max_wavelength, "max_wavelength")

    def rotation(self, length, head_dim, first=0):
        if head_dim % 2:
            raise ValueError(
                "Rotary positions need heads of an even width. Received: "
                f"head_dim={head_dim}. Change `num_heads` or the width."
            )
        rates = self.max_wavelength ** (-np.arange(0, head_dim, 2) / head_dim)
        turns = angles(length, first, rates)
        return ops.stack([ops.cos(turns), ops.sin(turns)])

    def get_config(self):
        config = super().get_config()
        return {**config, "max_wavelength": self.max_wavelength}
