import keras
import numpy as np
import pytest
from keras import ops

from keras_seq2seq.layers import AttentionMechanism
from keras_seq2seq.layers import BahdanauCell
from keras_seq2seq.layers import LocationAwareScore
from keras_seq2seq.layers import LuongCell
from keras_seq2seq.testing import run_cell_test
from keras_seq2seq.testing import run_score_test
from tests.helpers.batches import UNEQUAL
from tests.helpers.numpy_cells import randomize
from tests.helpers.numpy_cells import weights_of

RNG = np.random.default_rng(0)
QUERY, VALUE = RNG.normal(size=(2, 3, 4)), RNG.normal(size=(2, 5, 6))
MASK = np.array([[1, 1, 1, 1, 1], [1, 1, 1, 0, 0]], bool)


def energies_of(query, value, state, weights):
    """One place at a time; `state` is `(batch, Tq, Tv)`."""
    query_kernel, value_kernel, bias, energy_kernel, filters, kernel = weights
    left = (len(filters) - 1) // 2
    energies = np.zeros(state.shape)
    for b, i, j in np.ndindex(energies.shape):
        seen = np.zeros(filters.shape[-1])
        for k, taps in enumerate(filters[:, 0]):
            if 0 <= j + k - left < state.shape[-1]:
                seen += taps * state[b, i, j + k - left]
        hidden = query[b, i] @ query_kernel + value[b, j] @ value_kernel
        hidden = np.tanh(hidden + seen @ kernel + bias)
        energies[b, i, j] = hidden @ energy_kernel[:, 0]
    return energies


def built(**kwargs):
    score = LocationAwareScore(units=4, filters=3, **kwargs)
    score.build(QUERY.shape, VALUE.shape)
    randomize(score)
    return score


def test_battery():
    run_score_test(LocationAwareScore(units=3, kernel_size=3, use_bias=False))
    run_score_test(LocationAwareScore(), UNEQUAL)
    run_score_test(
        LocationAwareScore(units=3, filters=2, kernel_size=4, cumulative=True)
    )


@pytest.mark.parametrize("kind", [BahdanauCell, LuongCell])
def test_in_a_cell(kind):
    score = LocationAwareScore(filters=2, kernel_size=3)
    run_cell_test(kind(keras.layers.GRUCell(4), score=score))


@pytest.mark.parametrize("kernel_size", [1, 2, 3, 4, 11])
def test_against_numpy(kernel_size):
    score = built(kernel_size=kernel_size)
    state = RNG.dirichlet(np.ones(5), (2, 3))
    np.testing.assert_allclose(
        ops.convert_to_numpy(score(QUERY, VALUE, state=state)),
        energies_of(QUERY, VALUE, state, score.get_weights()),
        atol=1e-5,
    )


@pytest.mark.parametrize("cumulative", [False, True])
def test_three_steps_under_a_mask(cumulative):
    score = built(kernel_size=3, cumulative=cumulative)
    attention = AttentionMechanism(score)
    state, expected = None, np.zeros((2, 3, 5))
    for _ in range(3):
        _, scores, state = attention(
            QUERY, VALUE, value_mask=ops.array(MASK), state=state
        )
        energies = energies_of(QUERY, VALUE, expected, score.get_weights())
        weights = weights_of(energies, MASK[:, None])
        expected = expected + weights if cumulative else weights
        np.testing.assert_allclose(
            ops.convert_to_numpy(scores), weights, atol=1e-5
        )
        np.testing.assert_allclose(
            ops.convert_to_numpy(state["score"]), expected, atol=1e-5
        )


def test_errors():
    with pytest.raises(ValueError, match="`filters`.*Received: filters=0"):
        LocationAwareScore(filters=0)
    with pytest.raises(ValueError, match="`kernel_size`.*kernel_size=2.5"):
        LocationAwareScore(kernel_size=2.5)
