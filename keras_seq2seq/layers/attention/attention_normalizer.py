import keras

from keras_seq2seq.layers.attention.carried_state import CarriedState
from keras_seq2seq.ops import over_queries


class AttentionNormalizer(CarriedState, keras.layers.Layer):
    """Abstract normalizer: energies to weights.

    A simple subclass fills `normalize(energies, mask)`. One that looks at
    earlier attention (see `CarriedState`), draws noise, or differs between
    training and inference fills `call`.

    Call arguments:
        energies: Float tensor of shape `(batch_size, Tq, Tv)`.
        value_mask: Boolean tensor of shape `(batch_size, Tv)`, or
            `(batch_size, Tq, Tv)`, `True` at real places, or `None`.
        state: Float tensor of shape `(batch_size, Tq, Tv)`, or `None`.
        noise: Float tensor of shape `(batch_size, Tq, Tv)`, what `draw_noise`
            gave, or `None`.
        training: Boolean.

    Returns:
        Weights of the shape of `energies`: zero at masked places, and all
        zero where every place of a row is masked.
    """

    def normalize(self, energies, mask):
        """Weights for a mask that broadcasts to `energies`, or `None`."""
        raise NotImplementedError

    def call(
        self, energies, value_mask=None, state=None, noise=None, training=False
    ):
        return self.normalize(energies, over_queries(value_mask))

    def draw_noise(self, shape):
        """Noise of `shape` for training, or `None`; drawn before the loop."""
        return None

    def for_context(self, weights):
        """The weights as the context takes them."""
        return weights

    def compute_output_shape(self, energies_shape, *args, **kwargs):
        return energies_shape
