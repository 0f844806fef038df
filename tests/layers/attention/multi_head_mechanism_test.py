import keras
import numpy as np
import pytest
from keras import ops

from keras_seq2seq.layers import AdditiveScore
from keras_seq2seq.layers import AttentionMechanism
from keras_seq2seq.layers import BahdanauCell
from keras_seq2seq.layers import DotProductScore
from keras_seq2seq.layers import LuongCell
from keras_seq2seq.layers import MultiHeadMechanism
from keras_seq2seq.layers import SoftmaxNormalizer
from keras_seq2seq.testing import run_cell_test
from keras_seq2seq.testing import run_serialization_test
from tests.helpers.numpy_cells import attend
from tests.helpers.numpy_cells import randomize

RNG = np.random.default_rng(0)
QUERY = RNG.normal(size=(2, 3, 4))
VALUE = RNG.normal(size=(2, 5, 6))
MASK = np.array([[1, 1, 1, 0, 0], [0, 0, 0, 0, 0]], bool)


@keras.saving.register_keras_serializable("tests")
class NoisyNormalizer(SoftmaxNormalizer):
    def draw_noise(self, shape):
        return keras.random.normal(shape)


@keras.saving.register_keras_serializable("tests")
class RememberingNormalizer(SoftmaxNormalizer):
    has_state = True


def test_battery():
    revived = run_serialization_test(
        MultiHeadMechanism(AdditiveScore(units=3), 2, head_dim=5)
    )
    assert revived.score.units == 3
    assert revived.head_dim == 5


@pytest.mark.parametrize("score", ["dot_product", "additive"])
@pytest.mark.parametrize("kind", [BahdanauCell, LuongCell])
def test_in_a_cell(kind, score):
    attention = MultiHeadMechanism(score, num_heads=2)
    run_cell_test(kind(keras.layers.GRUCell(4), score=attention))


def test_additive_against_numpy():
    attention = MultiHeadMechanism("additive", num_heads=2, head_dim=3)
    attention.build(QUERY.shape, VALUE.shape)
    randomize(attention)
    projections = [
        layer.get_weights()[0]
        for layer in (
            attention.query_projection,
            attention.key_projection,
            attention.value_projection,
        )
    ]
    query, keys, value = (
        x @ kernel for x, kernel in zip((QUERY, VALUE, VALUE), projections)
    )
    heads, expected = [], np.zeros((2, 3, 5))
    for head in (slice(0, 3), slice(3, 6)):
        weights = np.zeros((2, 3, 5))
        for i in range(3):
            _, weights[:, i] = attend(
                query[:, i, head],
                keys[..., head],
                MASK,
                attention.score.get_weights(),
            )
        heads.append(weights @ value[..., head])
        expected += weights / 2
    (kernel,) = attention.context_projection.get_weights()
    context, scores = attention(QUERY, VALUE, value_mask=ops.array(MASK))
    np.testing.assert_allclose(
        ops.convert_to_numpy(context), np.dstack(heads) @ kernel, atol=1e-5
    )
    np.testing.assert_allclose(
        ops.convert_to_numpy(scores), expected, atol=1e-5
    )
    assert not ops.convert_to_numpy(context)[1].any()


def test_equals_the_layer_of_keras():
    attention = MultiHeadMechanism(DotProductScore(use_scale=True), 2)
    attention.build(QUERY.shape, VALUE.shape)
    attention.score.scale.assign(1 / np.sqrt(2))
    other = keras.layers.MultiHeadAttention(
        2, 2, use_bias=False, output_shape=6
    )
    mask = ops.array(MASK[:1, None])
    arguments = {"return_attention_scores": True, "attention_mask": mask}
    other(QUERY[:1], VALUE[:1], **arguments)
    kernels = [
        projection.get_weights()[0].reshape(shape)
        for projection, shape in (
            (attention.query_projection, (4, 2, 2)),
            (attention.key_projection, (6, 2, 2)),
            (attention.value_projection, (6, 2, 2)),
            (attention.context_projection, (2, 2, 6)),
        )
    ]
    other.set_weights(kernels)
    context, scores = other(QUERY[:1], VALUE[:1], **arguments)
    actual = attention(QUERY[:1], VALUE[:1], value_mask=ops.array(MASK[:1]))
    for x, y in zip(actual, (context, ops.mean(scores, axis=1))):
        np.testing.assert_allclose(
            ops.convert_to_numpy(x), ops.convert_to_numpy(y), atol=1e-5
        )


def test_in_a_functional_model():
    query, value = keras.Input((None, 4)), keras.Input((None, 6))
    outputs = MultiHeadMechanism("additive", num_heads=2)(query, value)
    assert [x.shape for x in outputs] == [(None, None, 6), (None, None, None)]
    context, scores = keras.Model([query, value], outputs)([QUERY, VALUE])
    assert tuple(context.shape) == (2, 3, 6)
    assert tuple(scores.shape) == (2, 3, 5)


def test_keys_are_projected_once():
    attention = MultiHeadMechanism("additive", num_heads=2)
    expected = attention(QUERY, VALUE)
    keys = attention.project_keys(ops.convert_to_tensor(VALUE, "float32"))

    def refuse(value):
        raise RuntimeError("a step projects keys")

    attention.score.project_keys = attention.project_keys = refuse
    for x, y in zip(attention(QUERY, VALUE, keys=keys), expected):
        np.testing.assert_allclose(
            ops.convert_to_numpy(x), ops.convert_to_numpy(y), atol=1e-6
        )


def test_half_precision(half_precision):
    attention = MultiHeadMechanism("dot_product", num_heads=2)
    context, scores = attention(8 * QUERY, 8 * VALUE, value_mask=MASK)
    for x in (context, scores):
        assert np.isfinite(ops.convert_to_numpy(ops.cast(x, "float32"))).all()


@pytest.mark.parametrize("name", ["location_aware", "coverage"])
def test_scores_with_a_state(name):
    message = "does not support several heads: it has a state.*Received: score="
    with pytest.raises(ValueError, match=message):
        MultiHeadMechanism(name, num_heads=2)
    AttentionMechanism(name)


@pytest.mark.parametrize(
    "normalizer, why",
    [(NoisyNormalizer, "it draws noise"), (RememberingNormalizer, "a state")],
)
def test_normalizers_with_state_or_noise(normalizer, why):
    message = f"{normalizer.__name__}.*heads: .*{why}.*Received: normalizer="
    with pytest.raises(ValueError, match=message):
        MultiHeadMechanism("additive", 2, normalizer=normalizer())


def test_errors():
    with pytest.raises(ValueError, match="`num_heads`.*Received: num_heads=0"):
        MultiHeadMechanism("additive", 0)
    with pytest.raises(ValueError, match="`head_dim`.*Received: head_dim=1.5"):
        MultiHeadMechanism("additive", 2, head_dim=1.5)
    message = "multiple of `num_heads`.*query of width 4, num_heads=3"
    with pytest.raises(ValueError, match=message):
        MultiHeadMechanism("additive", 3)(QUERY, VALUE)
