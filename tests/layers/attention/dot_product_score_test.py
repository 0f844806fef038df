import keras
import numpy as np
import pytest
from keras import ops

from keras_seq2seq.layers import DotProductScore
from keras_seq2seq.layers import LuongCell
from keras_seq2seq.testing import run_score_test

RNG = np.random.default_rng(0)
QUERY, VALUE = RNG.normal(size=(2, 3, 4)), RNG.normal(size=(2, 5, 4))


def test_battery():
    run_score_test(DotProductScore())
    run_score_test(DotProductScore(use_scale=True))


def test_against_numpy():
    expected = np.einsum("bid,bjd->bij", QUERY, VALUE)
    for score, scale in (
        (DotProductScore(), 1.0),
        (DotProductScore(use_scale=True), 0.3),
    ):
        score.build(QUERY.shape, VALUE.shape)
        assert len(score.weights) == (scale != 1.0)
        for weight in score.weights:
            assert ops.convert_to_numpy(weight) == 1.0
            weight.assign(scale)
        np.testing.assert_allclose(
            ops.convert_to_numpy(score(QUERY, VALUE)),
            scale * expected,
            atol=1e-5,
        )


def test_keys_are_the_value():
    value = ops.convert_to_tensor(VALUE)
    assert DotProductScore().project_keys(value) is value


def test_errors():
    message = (
        "query of width 4, value of width 6.*'bilinear'.*'scaled_dot_product'"
    )
    with pytest.raises(ValueError, match=message):
        DotProductScore()(QUERY, np.ones((2, 5, 6)))
    cell = LuongCell(keras.layers.GRUCell(4), score="dot_product")
    with pytest.raises(ValueError, match=message):
        cell.prepare_memory(ops.ones((2, 5, 6)))
