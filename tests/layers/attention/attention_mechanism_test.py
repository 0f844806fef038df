import keras
import numpy as np
import pytest
from keras import ops

from keras_seq2seq.layers import AdditiveScore
from keras_seq2seq.layers import AttentionMechanism
from keras_seq2seq.layers import BahdanauCell
from keras_seq2seq.layers import MultiHeadMechanism
from keras_seq2seq.layers import RecurrentDecoder
from keras_seq2seq.layers import SoftmaxNormalizer
from keras_seq2seq.testing import run_serialization_test
from tests.helpers.numpy_cells import attend

RNG = np.random.default_rng(0)
QUERY = RNG.normal(size=(2, 3, 4))
VALUE = RNG.normal(size=(2, 5, 6))
MASK = np.array([[1, 1, 1, 0, 0], [0, 0, 0, 0, 0]], bool)


def test_battery():
    run_serialization_test(AttentionMechanism("additive"))
    revived = run_serialization_test(
        AttentionMechanism(AdditiveScore(units=3), SoftmaxNormalizer())
    )
    assert revived.score.units == 3


def test_against_numpy():
    attention = AttentionMechanism("additive")
    context, scores = attention(QUERY, VALUE, value_mask=ops.array(MASK))
    weights = attention.score.get_weights()
    for i in range(3):
        expected = attend(QUERY[:, i], VALUE, MASK, weights)
        for actual, array in zip((context[:, i], scores[:, i]), expected):
            np.testing.assert_allclose(
                ops.convert_to_numpy(actual), array, atol=1e-5
            )
    assert not ops.convert_to_numpy(scores)[1].any()
    assert not ops.convert_to_numpy(context)[1].any()


def test_given_keys():
    attention = AttentionMechanism("additive")
    expected = attention(QUERY, VALUE)
    keys = attention.project_keys(ops.convert_to_tensor(VALUE, "float32"))
    for actual, tensor in zip(attention(QUERY, VALUE, keys=keys), expected):
        np.testing.assert_allclose(
            ops.convert_to_numpy(actual),
            ops.convert_to_numpy(tensor),
            atol=1e-6,
        )


def test_in_a_functional_model():
    query = keras.Input((None, 4))
    value = keras.Input((None, 6))
    outputs = AttentionMechanism("additive")(query, value)
    assert [x.shape for x in outputs] == [(None, None, 6), (None, None, None)]
    model = keras.Model([query, value], outputs)
    context, scores = model([QUERY, VALUE])
    assert tuple(context.shape) == (2, 3, 6)
    assert tuple(scores.shape) == (2, 3, 5)


def test_takes_the_mask_of_the_value():
    # Keras hands `value`'s own mask over as `value_mask`.
    masked = keras.layers.Masking(mask_value=9.0)
    value = np.where(MASK[..., None], VALUE, 9.0)
    _, scores = AttentionMechanism("additive")(QUERY, masked(value))
    scores = ops.convert_to_numpy(scores)
    assert not (scores * ~MASK[:, None]).any()
    np.testing.assert_allclose(scores[0].sum(-1), np.ones(3), rtol=1e-5)


def test_errors():
    with pytest.raises(ValueError, match="`score`.*Received: score='aditive'"):
        AttentionMechanism("aditive")
    with pytest.raises(ValueError, match="`normalizer`.*'softmax'.*=3"):
        AttentionMechanism("additive", 3)


def test_what_is_named_has_the_dtype_of_the_layer():
    mechanism = AttentionMechanism("coverage", "softmax", dtype="mixed_float16")
    assert mechanism.score.dtype_policy.name == "mixed_float16"
    assert mechanism.normalizer.dtype_policy.name == "mixed_float16"
    cell = BahdanauCell(keras.layers.GRUCell(3), "additive", dtype="bfloat16")
    assert cell.attention.score.dtype_policy.name == "bfloat16"
    decoder = RecurrentDecoder(cell, "dense", dtype="bfloat16")
    assert decoder.bridge.dtype_policy.name == "bfloat16"
    instance = AttentionMechanism(AdditiveScore(), dtype="bfloat16")
    assert instance.score.dtype_policy.name == "float32"


@pytest.mark.parametrize(
    "mechanism",
    [AttentionMechanism("additive"), MultiHeadMechanism("additive", 2)],
)
def test_masks_of_other_shapes(mechanism):
    message = r"`value_mask`.*\(2, 5\). Received: value_mask of shape \(2, 4\)"
    with pytest.raises(ValueError, match=message):
        mechanism(QUERY, VALUE, value_mask=MASK[:, :4])
    each = np.ones((2, 3, 5), bool)
    message = r"Received: value_mask of shape \(2, 3, 5\).*`attention_mask`"
    with pytest.raises(ValueError, match=message):
        mechanism(QUERY, VALUE, value_mask=each)
    for wrong in (MASK, each[:1], each[:, :2], each[:, :, :4]):
        message = rf"\(2, 3, 5\). Received: .* of shape \({wrong.shape[0]}, "
        with pytest.raises(ValueError, match=message):
            mechanism(QUERY, VALUE, attention_mask=wrong)


EACH = RNG.random((2, 3, 5)) < 0.7


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("value_mask", [None, MASK])
@pytest.mark.parametrize("attention_mask", [None, EACH])
def test_a_mask_for_each_query(value_mask, attention_mask, causal):
    """Where any mask forbids a place, the softmax is over the others."""
    score = AdditiveScore(units=3)
    attention = AttentionMechanism(score)
    context, scores = attention(
        QUERY,
        VALUE,
        value_mask=value_mask,
        attention_mask=attention_mask,
        use_causal_mask=causal,
    )
    for i in range(3):
        seen = np.ones((2, 5), bool)
        seen &= True if value_mask is None else value_mask
        seen &= True if attention_mask is None else attention_mask[:, i]
        seen &= np.arange(5) <= i if causal else True
        expected = attend(QUERY[:, i], VALUE, seen, score.get_weights())
        for actual, array in zip((context[:, i], scores[:, i]), expected):
            np.testing.assert_allclose(
                ops.convert_to_numpy(actual), array, atol=1e-5
            )


@pytest.mark.parametrize(
    "normalizer", ["softmax", "sparsemax", "monotonic", "hard"]
)
def test_every_normalizer_takes_a_mask_for_each_query(normalizer):
    """A query among others is a query alone, with its own `value_mask`."""
    attention = AttentionMechanism("additive", normalizer)
    together, *_ = attention(QUERY, VALUE, attention_mask=EACH)
    for i in range(3):
        alone, *_ = attention(QUERY[:, i : i + 1], VALUE, value_mask=EACH[:, i])
        np.testing.assert_allclose(
            ops.convert_to_numpy(together[:, i]),
            ops.convert_to_numpy(alone[:, 0]),
            atol=1e-5,
        )


def test_heads_see_the_same_places():
    """Keras's own layer, with our weights, sees the same."""
    ours = MultiHeadMechanism("scaled_dot_product", 2, head_dim=2)
    first = np.arange(5) == 0  # Keras gives a mean where nothing is seen
    masks = {"attention_mask": EACH | first, "use_causal_mask": True}
    context, _ = ours(QUERY, VALUE, **masks)
    query, key, value, output = (
        np.array(x.kernel)
        for x in (
            ours.query_projection,
            ours.key_projection,
            ours.value_projection,
            ours.context_projection,
        )
    )
    # The score's own projections act on each head alike.
    inner = [np.array(w) for w in ours.score.get_weights()]
    theirs = keras.layers.MultiHeadAttention(
        2, 2, output_shape=6, use_bias=False
    )
    theirs.build((2, 3, 4), (2, 5, 6))
    heads = [w.reshape(-1, 2, 2) for w in (query, key, value)]
    theirs.set_weights(
        [
            heads[0] @ inner[0],
            heads[1] @ inner[1],
            heads[2],
            output.reshape(2, 2, 6),
        ]
    )
    np.testing.assert_allclose(
        ops.convert_to_numpy(context),
        ops.convert_to_numpy(theirs(QUERY, VALUE, **masks)),
        atol=1e-5,
    )


@pytest.mark.parametrize(
    "mechanism",
    [AttentionMechanism("additive"), MultiHeadMechanism("dot_product", 2)],
    ids=["one head", "two heads"],
)
@pytest.mark.parametrize("query_shape", [(2, 4), (3, 1, 4)])
def test_shapes_that_do_not_meet(mechanism, query_shape):
    message = rf"\(batch_size, Tq.*query of shape \({query_shape[0]}, .*\(2, 5"
    with pytest.raises(ValueError, match=message):
        mechanism(np.ones(query_shape, "float32"), np.ones((2, 5, 4)))
