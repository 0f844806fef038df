import numpy as np
import pytest
from keras import ops

from keras_seq2seq.layers import BilinearScore
from keras_seq2seq.testing import run_score_test
from tests.helpers.batches import UNEQUAL
from tests.helpers.numpy_cells import randomize

RNG = np.random.default_rng(0)
QUERY, VALUE = RNG.normal(size=(2, 3, 4)), RNG.normal(size=(2, 5, 6))


def test_battery():
    run_score_test(BilinearScore(), UNEQUAL)
    run_score_test(BilinearScore(use_scale=True))


@pytest.mark.parametrize("use_scale", [False, True])
def test_against_numpy(use_scale):
    score = BilinearScore(use_scale=use_scale)
    score.build(QUERY.shape, VALUE.shape)
    randomize(score)
    kernel, scale = (*score.get_weights(), 1.0)[:2]
    expected = np.zeros((2, 3, 5))
    for b, i, j in np.ndindex(expected.shape):
        expected[b, i, j] = scale * (VALUE[b, j] @ kernel @ QUERY[b, i])
    np.testing.assert_allclose(
        ops.convert_to_numpy(score(QUERY, VALUE)), expected, atol=1e-5
    )


def test_scale_begins_at_one():
    score = BilinearScore(use_scale=True)
    score.build(QUERY.shape, VALUE.shape)
    assert ops.convert_to_numpy(score.scale) == 1.0
