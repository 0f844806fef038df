import numpy as np
import pytest
from keras import ops

from keras_seq2seq.layers import ScaledDotProductScore
from keras_seq2seq.testing import run_score_test
from tests.helpers.batches import UNEQUAL
from tests.helpers.numpy_cells import randomize

RNG = np.random.default_rng(0)
QUERY, VALUE = RNG.normal(size=(2, 3, 4)), RNG.normal(size=(2, 5, 6))


def test_battery():
    run_score_test(ScaledDotProductScore(), UNEQUAL)
    run_score_test(ScaledDotProductScore(units=3, activation="tanh"))
    deep = ScaledDotProductScore([3, 5], activation="relu", use_scale=False)
    run_score_test(deep, {**UNEQUAL, "query": UNEQUAL["query"][..., :6]})


@pytest.mark.parametrize(
    "activation, f",
    [
        (None, lambda x: x),
        ("tanh", np.tanh),
        ("relu", lambda x: np.maximum(x, 0)),
    ],
)
def test_against_numpy(activation, f):
    score = ScaledDotProductScore(units=7, activation=activation)
    score.build(QUERY.shape, VALUE.shape)
    randomize(score)
    query_kernel, value_kernel = score.get_weights()
    expected = np.zeros((2, 3, 5))
    for b, i, j in np.ndindex(expected.shape):
        query = f(QUERY[b, i] @ query_kernel)
        key = f(VALUE[b, j] @ value_kernel)
        expected[b, i, j] = query @ key / np.sqrt(7)
    np.testing.assert_allclose(
        ops.convert_to_numpy(score(QUERY, VALUE)), expected, atol=1e-5
    )


@pytest.mark.parametrize("use_scale", [True, False])
def test_two_layers_against_numpy(use_scale):
    score = ScaledDotProductScore(
        [7, 2], activation="tanh", use_scale=use_scale
    )
    score.build(QUERY.shape, VALUE.shape)
    randomize(score)
    w_q1, w_k1, w_q2, w_k2 = score.get_weights()
    query = np.tanh(np.tanh(QUERY @ w_q1) @ w_q2)
    keys = np.tanh(np.tanh(VALUE @ w_k1) @ w_k2)
    expected = np.einsum("bid,bjd->bij", query, keys)
    np.testing.assert_allclose(
        ops.convert_to_numpy(score(QUERY, VALUE)),
        expected / np.sqrt(2) if use_scale else expected,
        atol=1e-5,
    )


def test_units_of_the_query():
    score = ScaledDotProductScore()
    score.build(QUERY.shape, VALUE.shape)
    shapes = [tuple(weight.shape) for weight in score.weights]
    assert shapes == [(4, 4), (6, 4)]


def test_a_config_of_old():
    config = ScaledDotProductScore(3).get_config()
    assert config.pop("use_scale") is True
    assert ScaledDotProductScore.from_config(config).use_scale is True


def test_errors():
    with pytest.raises(ValueError, match="`units`.*Received: units=0"):
        ScaledDotProductScore(units=0)
    for units in ([], [3, 0]):
        with pytest.raises(ValueError, match="`units`.*Received: units="):
            ScaledDotProductScore(units)
    with pytest.raises(ValueError, match="soft"):
        ScaledDotProductScore(activation="soft")
