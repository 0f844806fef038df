import keras

from keras_seq2seq.layers.attention.carried_state import CarriedState
from keras_seq2seq.ops import over_queries


class AttentionNormalizer(CarriedState, keras.layers.Layer):
    """Abstract normalizer: turns energies into attention weights.

    A simple subclass implements `normalize(energies, mask)`. One that depends
    on earlier attention (see `CarriedState`), draws noise, or differs between
    training and inference overrides `call`.

    Call arguments:
        energies: Float tensor of shape `(batch_size, Tq, Tv)`.
        value_mask: Boolean tensor of shape `(batch_size, Tv)`, or
            `(batch_size, Tq, Tv)`, `True` at real positions, or `None`.
        state: Float tensor of shape `(batch_size, Tq, Tv)`, or `None`.
        noise: Float tensor of shape `(batch_size, Tq, Tv)` from `draw_noise`,
            or `None`.
        training: Boolean.

    Returns:
        Weights of the shape of `energies`, zero at masked positions. A row that
        is fully masked gives zeros.
    """

    def normalize(self, energies, mask):
        """Weights, given a mask that broadcasts to `energies`, or `None`."""
        raise NotImplementedError

    def call(
        self, energies, value_mask=None, state=None, noise=None, training=False
    ):
        return self.normalize(energies, over_queries(value_mask))

    def draw_noise(self, shape):
        """Training noise of `shape`, drawn before the loop, or `None`."""
        return None

    def for_context(self, weights):
        """Weights from which the context is computed."""
        return weights

    def compute_output_shape(self, energies_shape, *args, **kwargs):
        return energies_shape
