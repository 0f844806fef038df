import numpy as np
import pytest
from keras import ops

from keras_seq2seq.layers import AdditiveScore
from keras_seq2seq.testing import run_score_test
from tests.helpers.batches import UNEQUAL
from tests.helpers.numpy_cells import additive
from tests.helpers.numpy_cells import randomize


def test_battery():
    run_score_test(AdditiveScore(units=3))
    run_score_test(AdditiveScore(), UNEQUAL)
    run_score_test(AdditiveScore(units=3, normalize=True))
    run_score_test(AdditiveScore(units=3, use_bias=False))


def test_by_hand():
    score = AdditiveScore(units=2)
    query, value = np.array([[[1.0]]]), np.array([[[0.0], [2.0]]])
    score.build((1, 1, 1), (1, 2, 1))
    # W_a = (1, 0), U_a = (0, 1), b = (0, -1), v_a = (1, 2)
    score.query_kernel.assign([[1.0, 0.0]])
    score.value_kernel.assign([[0.0, 1.0]])
    score.bias.assign([0.0, -1.0])
    score.energy_kernel.assign([[1.0], [2.0]])
    # tanh(1) + 2 tanh(-1) and tanh(1) + 2 tanh(2 - 1)
    np.testing.assert_allclose(
        ops.convert_to_numpy(score(query, value)),
        [[[-np.tanh(1.0), 3 * np.tanh(1.0)]]],
        rtol=1e-6,
    )


def test_against_numpy():
    rng = np.random.default_rng(0)
    query, value = rng.normal(size=(2, 3, 4)), rng.normal(size=(2, 5, 6))
    score = AdditiveScore()
    score.build(query.shape, value.shape)
    assert tuple(score.query_kernel.shape) == (4, 4)  # units of the query
    score.bias.assign(rng.normal(size=4))
    np.testing.assert_allclose(
        ops.convert_to_numpy(score(query, value)),
        additive(query, value, *score.get_weights()),
        atol=1e-5,
    )


def test_without_a_bias_against_numpy():
    rng = np.random.default_rng(0)
    query, value = rng.normal(size=(2, 3, 4)), rng.normal(size=(2, 5, 6))
    score = AdditiveScore(units=9, use_bias=False)
    score.build(query.shape, value.shape)
    w_a, u_a, v_a = score.get_weights()
    np.testing.assert_allclose(
        ops.convert_to_numpy(score(query, value)),
        additive(query, value, w_a, u_a, 0.0, v_a),
        atol=1e-5,
    )


def test_a_config_of_old():
    config = AdditiveScore(units=3).get_config()
    assert config.pop("use_bias") is True
    assert AdditiveScore.from_config(config).use_bias is True


def test_normalized_against_numpy():
    rng = np.random.default_rng(0)
    query, value = rng.normal(size=(2, 3, 4)), rng.normal(size=(2, 5, 6))
    score = AdditiveScore(units=9, normalize=True)
    score.build(query.shape, value.shape)
    np.testing.assert_allclose(ops.convert_to_numpy(score.gain), 1 / 3)
    randomize(score)
    *weights, v, gain = score.get_weights()
    normed = gain * v / np.sqrt(np.sum(v.astype("float64") ** 2))
    np.testing.assert_allclose(
        ops.convert_to_numpy(score(query, value)),
        additive(query, value, *weights, normed),
        atol=1e-5,
    )


def test_gain_is_the_length():
    # Longer weights change nothing.
    score = AdditiveScore(units=2, normalize=True)
    query, value = np.ones((1, 2, 3)), np.arange(6.0).reshape(1, 3, 2)
    before = ops.convert_to_numpy(score(query, value))
    score.energy_kernel.assign(7 * score.energy_kernel)
    after = ops.convert_to_numpy(score(query, value))
    np.testing.assert_allclose(after, before, atol=1e-6)


@pytest.mark.parametrize("units", [0, -1, 2.0, "2"])
def test_errors(units):
    with pytest.raises(ValueError, match=f"`units`.*Received: units={units!r}"):
        AdditiveScore(units=units)
