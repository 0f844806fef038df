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
from tests.layers.numpy_cells import attend

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
def test_a_mask_of_other_places(mechanism):
    with pytest.raises(ValueError, match=r"`value_mask`.*5 places.*\(2, 4\)"):
        mechanism(QUERY, VALUE, value_mask=MASK[:, :4])


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
