import keras
from keras import ops

from keras_seq2seq.layers.attention.additive_score import AdditiveScore
from keras_seq2seq.ops import product
from keras_seq2seq.utils.checks import check_positive

LEAST_FERTILITY = 1e-2


@keras.saving.register_keras_serializable("keras_seq2seq")
class CoverageScore(AdditiveScore):
    """Additive score with coverage: how much each position was attended to.

    `energy_j = v_a^T tanh(W_a query + U_a value_j + V_a C_j + b)`. The state is
    the coverage `C_j`: the sum of all earlier attention scores of position `j`,
    divided by its fertility `Phi_j = N sigmoid(U_f value_j)`, the expected
    number of target tokens of that position. Fertility is at least 0.01, so
    that half precision stays finite; without `max_fertility` it is 1. The keys
    are `U_a value + b`, concatenated with the fertility if there is one. Masked
    positions have attention scores of zero, so their coverage stays zero.

    Args:
        units: Integer. Width of the hidden layer. Defaults to `None`, the
            width of the query.
        max_fertility: Float above 0, `N`. The paper uses `2.0`. Defaults to
            `None`, no fertility.
        normalize: Boolean. As in `AdditiveScore`. Defaults to `False`.
        use_bias: Boolean. As in `AdditiveScore`. Defaults to `True`.

    Call arguments:
        query: Float tensor of shape `(batch_size, Tq, query_dim)`.
        value: Float tensor of shape `(batch_size, Tv, value_dim)`.
        keys: Float tensor of shape `(batch_size, Tv, units)`, or
            `(batch_size, Tv, units + 1)` with a fertility, optional.
        state: Float tensor of shape `(batch_size, Tq, Tv)`, optional.

    Returns:
        Float tensor of shape `(batch_size, Tq, Tv)`.

    Example:

    >>> score = k2s.layers.CoverageScore(units=8, max_fertility=2.0)
    >>> tuple(score(np.ones((2, 3, 4)), np.ones((2, 5, 6))).shape)
    (2, 3, 5)

    References:
        - [Tu et al., 2016](https://arxiv.org/abs/1601.04811), section 3.1.1
          (the linguistic coverage model)
    """

    has_state = True

    def __init__(
        self,
        units=None,
        *,
        max_fertility=None,
        normalize=False,
        use_bias=True,
        **kwargs,
    ):
        super().__init__(
            units, normalize=normalize, use_bias=use_bias, **kwargs
        )
        if max_fertility is not None:
            max_fertility = check_positive(max_fertility, "max_fertility")
        self.max_fertility = max_fertility

    def build(self, query_shape, value_shape):
        super().build(query_shape, value_shape)
        self.coverage_kernel = self.add_weight(
            shape=(1, self.energy_kernel.shape[0]), name="coverage_kernel"
        )
        if self.max_fertility is not None:
            self.fertility_kernel = self.add_weight(
                shape=(value_shape[-1], 1), name="fertility_kernel"
            )

    def project_keys(self, value):
        keys = super().project_keys(value)
        if self.max_fertility is None:
            return keys
        fertility = ops.sigmoid(product(value, self.fertility_kernel))
        fertility = ops.maximum(self.max_fertility * fertility, LEAST_FERTILITY)
        return ops.concatenate([keys, fertility], axis=-1)

    def next_state(self, state, attention_scores, keys):
        if self.max_fertility is not None:
            fertility = ops.expand_dims(keys[..., -1], 1)
            attention_scores = ops.divide(attention_scores, fertility)
        return ops.add(state, attention_scores)

    def energies(self, query, keys, state):
        if self.max_fertility is not None:
            keys = keys[..., :-1]
        covered = ops.expand_dims(state, -1) * self.coverage_kernel
        return self.energies_of(self.hidden(query, keys) + covered)

    def get_config(self):
        return {**super().get_config(), "max_fertility": self.max_fertility}
