import keras
import numpy as np
import pytest
from keras import ops

from keras_seq2seq.layers import AttentionMechanism
from keras_seq2seq.layers import BahdanauCell
from keras_seq2seq.layers import CoverageScore
from keras_seq2seq.layers import LuongCell
from keras_seq2seq.testing import run_cell_test
from keras_seq2seq.testing import run_score_test
from tests.helpers.batches import UNEQUAL
from tests.helpers.numpy_cells import randomize
from tests.helpers.numpy_cells import sigmoid
from tests.helpers.numpy_cells import weights_of

RNG = np.random.default_rng(0)
QUERY, VALUE = RNG.normal(size=(2, 3, 4)), RNG.normal(size=(2, 5, 6))
MASK = np.array([[1, 1, 1, 1, 1], [1, 1, 1, 0, 0]], bool)


def energies_of(query, value, state, weights):
    """One place at a time; `state` is `(batch, Tq, Tv)`."""
    query_kernel, value_kernel, bias, energy_kernel, kernel = weights
    energies = np.zeros(state.shape)
    for b, i, j in np.ndindex(energies.shape):
        hidden = query[b, i] @ query_kernel + value[b, j] @ value_kernel
        hidden = np.tanh(hidden + state[b, i, j] * kernel[0] + bias)
        energies[b, i, j] = hidden @ energy_kernel[:, 0]
    return energies


def test_battery():
    run_score_test(CoverageScore(units=3, use_bias=False))
    run_score_test(CoverageScore(), UNEQUAL)
    run_score_test(CoverageScore(units=3, max_fertility=2.0))


@pytest.mark.parametrize("kind", [BahdanauCell, LuongCell])
def test_in_a_cell(kind):
    score = CoverageScore(max_fertility=2.0)
    run_cell_test(kind(keras.layers.GRUCell(4), score=score))


@pytest.mark.parametrize("max_fertility", [None, 2.0])
def test_three_steps_under_a_mask(max_fertility):
    score = CoverageScore(units=4, max_fertility=max_fertility)
    score.build(QUERY.shape, VALUE.shape)
    randomize(score)
    weights, fertility = score.get_weights(), np.ones((2, 1, 5))
    if max_fertility:
        *weights, kernel = weights
        fertility = 2 * sigmoid(VALUE @ kernel)[:, None, :, 0]
        assert fertility.min() > 0.01
    attention = AttentionMechanism(score)
    state, covered = None, np.zeros((2, 3, 5))
    for _ in range(3):
        _, scores, state = attention(
            QUERY, VALUE, value_mask=ops.array(MASK), state=state
        )
        energies = energies_of(QUERY, VALUE, covered, weights)
        expected = weights_of(energies, MASK[:, None])
        covered = covered + expected / fertility
        np.testing.assert_allclose(
            ops.convert_to_numpy(scores), expected, atol=1e-5
        )
        np.testing.assert_allclose(
            ops.convert_to_numpy(state["score"]), covered, rtol=1e-4, atol=1e-5
        )


def test_a_place_that_is_not_wanted():
    # A fertility of almost zero is held at 0.01.
    score = CoverageScore(units=2, max_fertility=1.0)
    score.build((1, 1, 2), (1, 2, 1))
    score.fertility_kernel.assign([[1.0]])
    keys = score.project_keys(ops.array([[[-50.0], [0.0]]]))
    half = ops.array([[[0.5, 0.5]]])
    np.testing.assert_allclose(
        ops.convert_to_numpy(score.next_state(half, half, keys)),
        [[[50.5, 1.5]]],
        rtol=1e-6,
    )


@pytest.mark.parametrize("wrong", [0, -1.0, float("inf"), "2"])
def test_errors(wrong):
    with pytest.raises(ValueError, match="`max_fertility`.*above 0.*Received"):
        CoverageScore(max_fertility=wrong)
