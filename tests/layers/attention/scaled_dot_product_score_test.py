import numpy as np
import pytest
from keras import ops

from keras_seq2seq.layers import ScaledDotProductScore
from keras_seq2seq.testing import run_score_test
from tests.layers.numpy_cells import randomize

RNG = np.random.default_rng(0)
QUERY, VALUE = RNG.normal(size=(2, 3, 4)), RNG.normal(size=(2, 5, 6))


def test_battery():
    run_score_test(ScaledDotProductScore(), query_dim=5, value_dim=7)
    run_score_test(ScaledDotProductScore(units=3, activation="tanh"))


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


def test_units_of_the_query():
    score = ScaledDotProductScore()
    score.build(QUERY.shape, VALUE.shape)
    assert tuple(score.value_kernel.shape) == (6, 4)


def test_errors():
    with pytest.raises(ValueError, match="`units`.*Received: units=0"):
        ScaledDotProductScore(units=0)
    with pytest.raises(ValueError, match="soft"):
        ScaledDotProductScore(activation="soft")
