import keras
from keras import ops

from keras_seq2seq.layers.attention.attention_mask import compute_attention_mask
from keras_seq2seq.layers.attention.attention_mechanism import (
    AttentionMechanism,
)
from keras_seq2seq.layers.attention.attention_normalizer import (
    AttentionNormalizer,
)
from keras_seq2seq.layers.dense import Dense
from keras_seq2seq.ops import weighted_sum
from keras_seq2seq.utils.checks import check_query_and_value
from keras_seq2seq.utils.sizes import check_dimension


@keras.saving.register_keras_serializable("keras_seq2seq")
class MultiHeadMechanism(AttentionMechanism):
    """Attention with several heads, each with its own projections.

    `context = [head_1; ...; head_h] W^O` with
    `head_i = attention(query W^Q_i, value W^K_i) value W^V_i`, where query and
    value are rows, as in the paper. The heads share the score's own weights.
    Masked positions get a weight of zero from every head. A row that is fully
    masked gives a context of zeros.

    Scores and normalizers with a state, and normalizers that draw noise, are
    not supported: they have one number for each position, not for each head.

    Args:
        score: Name, config or instance of an `AttentionScore` without a state.
        num_heads: Integer.
        head_dim: Integer. Width of a head. Defaults to `None`, the width of
            the query divided by `num_heads`.
        normalizer: Name, config or instance of an `AttentionNormalizer`
            without state and noise. Defaults to `"softmax"`.

    Call arguments:
        query: Float tensor of shape `(batch_size, Tq, query_dim)`.
        value: Float tensor of shape `(batch_size, Tv, value_dim)`.
        keys: Dict with the heads' `"keys"` and `"value"`, of shape
            `(batch_size, num_heads, Tv, ...)`, the result of
            `project_keys(value)`. Defaults to `None`, which computes it.
        value_mask: Boolean tensor of shape `(batch_size, Tv)`, `True` at real
            positions.
        attention_mask: Boolean tensor of shape `(batch_size, Tq, Tv)`, `True`
            where a query may attend. Combined with `value_mask`.
        use_causal_mask: Boolean. Whether to keep queries from attending to
            later positions than their own, as in a decoder's self-attention.
            Defaults to `False`.
        training: Boolean.

    Returns:
        Context of shape `(batch_size, Tq, value_dim)` and attention scores of
        shape `(batch_size, Tq, Tv)`, their mean over the heads.

    Example:

    >>> attention = k2s.layers.MultiHeadMechanism("dot_product", num_heads=2)
    >>> query, value = np.ones((2, 3, 4)), np.ones((2, 5, 6))
    >>> context, attention_scores = attention(query, value)
    >>> tuple(context.shape), tuple(attention_scores.shape)
    ((2, 3, 6), (2, 3, 5))

    References:
        - [Vaswani et al., 2017](https://arxiv.org/abs/1706.03762), section
          3.2.2
    """

    def __init__(
        self, score, num_heads, *, head_dim=None, normalizer="softmax", **kwargs
    ):
        super().__init__(score, normalizer, **kwargs)
        _check_part(self.score, "score")
        _check_part(self.normalizer, "normalizer")
        self.num_heads = check_dimension(num_heads, "num_heads")
        if head_dim is not None:
            head_dim = check_dimension(head_dim, "head_dim")
        self.head_dim = head_dim

    def build(self, query_shape, value_shape, *other_shapes, **more_shapes):
        width = self.head_dim or _head_dim(query_shape[-1], self.num_heads)
        query_dim, value_dim = query_shape[-1], value_shape[-1]
        heads = self.num_heads * width
        self.query_projection = self._dense("query", query_dim, heads)
        self.key_projection = self._dense("key", value_dim, heads)
        self.value_projection = self._dense("value", value_dim, heads)
        self.context_projection = self._dense("context", heads, value_dim)
        super().build(
            (*query_shape[:-1], width),
            (*value_shape[:-1], width),
        )

    def _dense(self, name, inputs_dim, units):
        dense = Dense(units, use_bias=False, dtype=self.dtype_policy, name=name)
        dense.build((None, inputs_dim))
        return dense

    def project_keys(self, value):
        heads = self._heads(self.key_projection(value))
        keys = self.score.project_keys(_as_batch(heads))
        return {
            "keys": self._of_batch(keys),
            "value": self._heads(self.value_projection(value)),
        }

    def _heads(self, x):
        """`(batch, T, heads * dim)` -> `(batch, heads, T, dim)`."""
        dim = x.shape[-1] // self.num_heads
        x = ops.reshape(x, (*ops.shape(x)[:2], self.num_heads, dim))
        return ops.transpose(x, (0, 2, 1, 3))

    def _of_batch(self, x):
        """`(batch * heads, T, dim)` -> `(batch, heads, T, dim)`."""
        return ops.reshape(x, (-1, self.num_heads, *ops.shape(x)[1:]))

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
        heads = self.project_keys(value) if keys is None else keys
        query = self._heads(self.query_projection(query))
        energies = self.score(
            _as_batch(query),
            _as_batch(heads["value"]),
            keys=_as_batch(heads["keys"]),
        )
        weights = self._normalize(energies, mask, training)
        context = weighted_sum(
            self.normalizer.for_context(weights), heads["value"]
        )
        context = self.context_projection(_side_by_side(context))
        return context, ops.mean(weights, axis=1)

    def _normalize(self, energies, mask, training):
        """Weights of shape `(batch, heads, Tq, Tv)`."""
        queries, positions = ops.shape(energies)[1:]
        heads = self.num_heads
        if mask is not None and len(mask.shape) == 3:
            mask = ops.tile(mask, (1, heads, 1))
        # The normalizer sees the heads as further queries.
        energies = ops.reshape(energies, (-1, heads * queries, positions))
        weights = self.normalizer(energies, mask, training=training)
        return ops.reshape(weights, (-1, heads, queries, positions))

    def get_config(self):
        return {
            **super().get_config(),
            "num_heads": self.num_heads,
            "head_dim": self.head_dim,
        }


def _as_batch(x):
    """`(batch, heads, T, dim)` -> `(batch * heads, T, dim)`."""
    return ops.reshape(x, (-1, *ops.shape(x)[2:]))


def _side_by_side(x):
    """`(batch, heads, T, dim)` -> `(batch, T, heads * dim)`."""
    _, heads, _, dim = x.shape
    x = ops.transpose(x, (0, 2, 1, 3))
    return ops.reshape(x, (*ops.shape(x)[:2], heads * dim))


def _check_part(part, argument):
    kind = type(part)
    draws = getattr(kind, "draw_noise", None)
    if part.has_state:
        why = "it has a state, of one number for each position, not each head"
    elif draws not in (None, AttentionNormalizer.draw_noise):
        why = "it draws noise, one number for each position, not each head"
    else:
        return
    raise ValueError(
        f"`{kind.__name__}` does not support several heads: {why}. "
        f"Received: {argument}={kind.__name__}. Use it in an "
        "`AttentionMechanism`, which has one head, or use another "
        f"{argument} in `MultiHeadMechanism`."
    )


def _head_dim(query_dim, num_heads):
    if query_dim % num_heads:
        raise ValueError(
            "Without `head_dim` the width of the query must be a multiple of "
            f"`num_heads`. Received: query of width {query_dim}, "
            f"num_heads={num_heads}. Pass `head_dim`, or change one of them."
        )
    return query_dim // num_heads
