import numpy as np
import pytest
from keras import ops

from keras_seq2seq.layers import ConcatScore
from keras_seq2seq.testing import run_score_test
from tests.helpers.batches import UNEQUAL
from tests.helpers.numpy_cells import randomize
from tests.helpers.numpy_cells import sigmoid

RNG = np.random.default_rng(0)
QUERY, VALUE = RNG.normal(size=(2, 3, 4)), RNG.normal(size=(2, 5, 6))


def test_battery():
    run_score_test(ConcatScore(), UNEQUAL)
    run_score_test(ConcatScore(units=3, activation="relu"))


@pytest.mark.parametrize(
    "activation, f",
    [
        ("tanh", np.tanh),
        ("sigmoid", sigmoid),
        ("relu", lambda x: np.maximum(x, 0)),
    ],
)
def test_against_numpy(activation, f):
    score = ConcatScore(units=7, activation=activation)
    score.build(QUERY.shape, VALUE.shape)
    randomize(score)
    kernel, energy_kernel = score.get_weights()
    expected = np.zeros((2, 3, 5))
    for b, i, j in np.ndindex(expected.shape):
        both = np.concatenate([VALUE[b, j], QUERY[b, i]])
        expected[b, i, j] = f(both @ kernel) @ energy_kernel[:, 0]
    np.testing.assert_allclose(
        ops.convert_to_numpy(score(QUERY, VALUE)), expected, atol=1e-5
    )


def test_units_of_the_query():
    score = ConcatScore()
    score.build(QUERY.shape, VALUE.shape)
    assert tuple(score.kernel.shape) == (10, 4)


def test_errors():
    with pytest.raises(ValueError, match="`units`.*Received: units=-1"):
        ConcatScore(units=-1)
    with pytest.raises(ValueError, match="than"):
        ConcatScore(activation="than")
