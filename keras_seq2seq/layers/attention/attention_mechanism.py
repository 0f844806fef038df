import keras

from keras_seq2seq.layers.attention.attention_normalizer import (
    AttentionNormalizer,
)
from keras_seq2seq.layers.attention.attention_score import AttentionScore
from keras_seq2seq.ops import weighted_sum
from keras_seq2seq.utils import registry


@keras.saving.register_keras_serializable("keras_seq2seq")
class AttentionMechanism(keras.layers.Layer):
    """Attention over a memory: score, mask, normalize, weighted sum.

    `context = normalizer(score(query, value)) value`. Places of the memory
    where `value_mask` is `False` get a weight of exactly zero; a row without
    any real place gives a context of zeros.

    Args:
        score: Name, config or instance of an `AttentionScore`.
        normalizer: Name, config or instance of an `AttentionNormalizer`.
            Defaults to `"softmax"`.

    Call arguments:
        query: Float tensor of shape `(batch_size, Tq, query_dim)`.
        value: Float tensor of shape `(batch_size, Tv, value_dim)`.
        keys: Float tensor of shape `(batch_size, Tv, key_dim)`, the result of
            `project_keys(value)`; computed where it is not given.
        value_mask: Boolean tensor of shape `(batch_size, Tv)`, `True` at real
            places.

    Returns:
        Context of shape `(batch_size, Tq, value_dim)` and attention scores of
        shape `(batch_size, Tq, Tv)`.

    Example:

    >>> attention = k2s.layers.AttentionMechanism("additive")
    >>> query, value = np.ones((2, 3, 4)), np.ones((2, 5, 6))
    >>> context, attention_scores = attention(query, value)
    >>> tuple(context.shape), tuple(attention_scores.shape)
    ((2, 3, 6), (2, 3, 5))

    References:
        - [Bahdanau et al., 2015](https://arxiv.org/abs/1409.0473), eq. 5-6
    """

    def __init__(self, score, normalizer="softmax", **kwargs):
        super().__init__(**kwargs)
        self.score = registry.get(score, AttentionScore, "score")
        self.normalizer = registry.get(
            normalizer, AttentionNormalizer, "normalizer"
        )

    def build(self, query_shape, value_shape, keys_shape=None):
        if not self.score.built:
            self.score.build(query_shape, value_shape)

    def project_keys(self, value):
        return self.score.project_keys(value)

    def call(self, query, value, keys=None, value_mask=None):
        energies = self.score(query, value, keys=keys)
        weights = self.normalizer(energies, value_mask)
        return weighted_sum(weights, value), weights

    def compute_output_shape(self, query_shape, value_shape, keys_shape=None):
        rows = tuple(query_shape[:-1])
        return (*rows, value_shape[-1]), (*rows, value_shape[1])

    def get_config(self):
        serialize = keras.saving.serialize_keras_object
        return {
            **super().get_config(),
            "score": serialize(self.score),
            "normalizer": serialize(self.normalizer),
        }
