import keras
from keras import ops

from keras_seq2seq.layers.attention.attention_mask import compute_attention_mask
from keras_seq2seq.layers.attention.attention_normalizer import (
    AttentionNormalizer,
)
from keras_seq2seq.layers.attention.attention_score import AttentionScore
from keras_seq2seq.ops import weighted_sum
from keras_seq2seq.utils import registry
from keras_seq2seq.utils.checks import check_query_and_value


@keras.saving.register_keras_serializable("keras_seq2seq")
class AttentionMechanism(keras.layers.Layer):
    """Attention over a memory: score, mask, normalize, weighted sum.

    `context_i = sum_j alpha_ij value_j`, with `alpha_i = normalizer(e_i)` and
    `e_ij = score(query_i, value_j)`. Positions of the memory where `value_mask`
    is `False` get a weight of exactly zero. A row that is fully masked gives a
    context of zeros.

    Args:
        score: Name, config or instance of an `AttentionScore`.
        normalizer: Name, config or instance of an `AttentionNormalizer`.
            Defaults to `"softmax"`.

    Call arguments:
        query: Float tensor of shape `(batch_size, Tq, query_dim)`.
        value: Float tensor of shape `(batch_size, Tv, value_dim)`.
        keys: Float tensor of shape `(batch_size, Tv, key_dim)`, the result of
            `project_keys(value)`. Defaults to `None`, which computes it.
        value_mask: Boolean tensor of shape `(batch_size, Tv)`, `True` at real
            positions.
        attention_mask: Boolean tensor of shape `(batch_size, Tq, Tv)`, `True`
            where a query may attend. Combined with `value_mask`.
        use_causal_mask: Boolean. Whether to keep queries from attending to
            later positions than their own, as in a decoder's self-attention.
            Defaults to `False`.
        state: Dict of float tensors of shape `(batch_size, Tq, Tv)`, with the
            entries of `state_size`: the states of score and normalizer, which
            depend on earlier attention. Defaults to `None`, the initial state.
        noise: Float tensor of shape `(batch_size, Tq, Tv)`, from `draw_noise`.
        training: Boolean.

    Returns:
        Context of shape `(batch_size, Tq, value_dim)` and attention scores of
        shape `(batch_size, Tq, Tv)`. If the score or the normalizer has a
        state, also the new state.

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
        dtype = self.dtype_policy.name  # Keras puts names into configs
        self.score = registry.get(score, AttentionScore, "score", dtype=dtype)
        self.normalizer = registry.get(
            normalizer, AttentionNormalizer, "normalizer", dtype=dtype
        )

    def _stateful_parts(self):
        parts = {"score": self.score, "normalizer": self.normalizer}
        return {name: part for name, part in parts.items() if part.has_state}

    @property
    def state_size(self):
        """Dict of state -> `None`, which stands for the memory's length."""
        return dict.fromkeys(self._stateful_parts())

    def first_state(self, value):
        """Dict of states `(batch_size, Tv)` before the first step."""
        return {
            name: part.first_state(value)
            for name, part in self._stateful_parts().items()
        }

    def build(self, query_shape, value_shape, *other_shapes, **more_shapes):
        if not self.score.built:
            self.score.build(query_shape, value_shape)
        if not self.normalizer.built:
            self.normalizer.build((*query_shape[:-1], value_shape[1]))

    def project_keys(self, value):
        return self.score.project_keys(value)

    def _first_states(self, query, value):
        return {
            name: part.first_state_of(query, value)
            for name, part in self._stateful_parts().items()
        }

    def draw_noise(self, shape):
        """Noise of shape `(batch_size, Tq, Tv)` for one training step."""
        return self.normalizer.draw_noise(shape)

    def call(
        self,
        query,
        value,
        keys=None,
        value_mask=None,
        attention_mask=None,
        use_causal_mask=False,
        state=None,
        noise=None,
        training=False,
    ):
        check_query_and_value(query, value)
        mask = compute_attention_mask(
            query, value, value_mask, attention_mask, use_causal_mask
        )
        keys = self.project_keys(value) if keys is None else keys
        if state is None:
            state = self._first_states(query, value)
        energies = self.score(query, value, keys=keys, state=state.get("score"))
        weights = self.normalizer(
            energies,
            mask,
            state=state.get("normalizer"),
            noise=noise,
            training=training,
        )
        seen = self.normalizer.for_context(weights)
        context = weighted_sum(seen, value)
        if not state:
            return context, weights
        new_state = {
            name: ops.cast(
                part.next_state(state[name], seen, keys), weights.dtype
            )
            for name, part in self._stateful_parts().items()
        }
        return context, weights, new_state

    def compute_output_shape(self, query_shape, value_shape, *args, **kwargs):
        rows = tuple(query_shape[:-1])
        scores = (*rows, value_shape[1])
        state = dict.fromkeys(self._stateful_parts(), scores)
        shapes = (*rows, value_shape[-1]), scores
        return (*shapes, state) if state else shapes

    def get_config(self):
        serialize = keras.saving.serialize_keras_object
        return {
            **super().get_config(),
            "score": serialize(self.score),
            "normalizer": serialize(self.normalizer),
        }
