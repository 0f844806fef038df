import keras
from keras import ops

from keras_seq2seq.layers.attention.attention_normalizer import (
    AttentionNormalizer,
)
from keras_seq2seq.ops import masked_softmax
from keras_seq2seq.utils.checks import check_positive


@keras.saving.register_keras_serializable("keras_seq2seq")
class SoftmaxNormalizer(AttentionNormalizer):
    """Softmax over the memory, the usual normalizer.

    `weights = softmax(beta energies)` with `beta = 1 / temperature`, over the
    positions where `value_mask` is `True`. A row that is fully masked gives
    zeros.

    Args:
        temperature: Float above 0. Values below 1 give sharper weights.
            Defaults to `1.0`.

    Call arguments:
        energies: Float tensor of shape `(batch_size, Tq, Tv)`.
        value_mask: Boolean tensor of shape `(batch_size, Tv)`, or
            `(batch_size, Tq, Tv)`, `True` at real positions, or `None`.

    Returns:
        Float tensor of shape `(batch_size, Tq, Tv)`.

    Example:

    >>> normalizer = k2s.layers.SoftmaxNormalizer()
    >>> energies = keras.ops.zeros((1, 1, 4))
    >>> mask = keras.ops.array([[True, True, False, False]])
    >>> print(keras.ops.convert_to_numpy(normalizer(energies, mask)))
    [[[0.5 0.5 0.  0. ]]]

    References:
        - [Chorowski et al., 2015](https://arxiv.org/abs/1506.07503), eq. 10
          (there `beta`)
    """

    def __init__(self, temperature=1.0, **kwargs):
        super().__init__(**kwargs)
        self.temperature = check_positive(temperature, "temperature")

    def normalize(self, energies, mask):
        if self.temperature == 1.0:
            return masked_softmax(energies, mask)
        # In float32: half precision ends at 65504.
        x = ops.cast(energies, "float32") / self.temperature
        return ops.cast(masked_softmax(x, mask), energies.dtype)

    def get_config(self):
        return {**super().get_config(), "temperature": self.temperature}
