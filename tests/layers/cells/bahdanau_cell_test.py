import keras
import numpy as np
import pytest
from keras import ops

from keras_seq2seq.layers import AdditiveScore
from keras_seq2seq.layers import BahdanauCell
from keras_seq2seq.testing import run_cell_test
from tests.helpers.numpy_cells import attend
from tests.helpers.numpy_cells import gru
from tests.helpers.numpy_cells import lstm
from tests.helpers.numpy_cells import randomize

RNG = np.random.default_rng(0)
VALUE = RNG.normal(size=(2, 5, 3)).astype("float32")
MASK = np.array([[1, 1, 1, 1, 1], [1, 1, 0, 0, 0]], bool)
INPUTS = RNG.normal(size=(4, 2, 3)).astype("float32")  # time, batch, dim


def memory_of(cell):
    return cell.prepare_memory(ops.array(VALUE), ops.array(MASK))


def test_battery():
    run_cell_test(BahdanauCell(keras.layers.GRUCell(4)))
    cell = keras.layers.LSTMCell(4)
    run_cell_test(BahdanauCell(cell, context_in_output=False))
    stacked = [keras.layers.LSTMCell(4), keras.layers.LSTMCell(3)]
    run_cell_test(
        BahdanauCell(
            keras.layers.StackedRNNCells(stacked), score=AdditiveScore(units=2)
        )
    )


@pytest.mark.parametrize("context_in_output", [True, False])
def test_gru_against_numpy(context_in_output):
    cell = BahdanauCell(
        keras.layers.GRUCell(4),
        score=AdditiveScore(units=3),
        context_in_output=context_in_output,
    )
    cell.build((2, 3), {"value": VALUE.shape})
    randomize(cell)
    score, weights = cell.attention.score, cell.cell.get_weights()
    memory, states = memory_of(cell), cell.get_initial_state(2)
    h = np.zeros((2, 4))
    for x in INPUTS:
        output, states, scores = cell(x, states, memory)
        context, expected = attend(h, VALUE, MASK, score.get_weights())
        h = gru(np.hstack([x, context]), h, *weights)
        for actual, array in (
            (output, np.hstack([h, context]) if context_in_output else h),
            (states["cell"], h),
            (scores, expected),
        ):
            actual = keras.tree.flatten(actual)[0]
            np.testing.assert_allclose(
                ops.convert_to_numpy(actual), array, atol=1e-5
            )


def test_lstm_against_numpy():
    cell = BahdanauCell(keras.layers.LSTMCell(4))
    cell.build((2, 3), {"value": VALUE.shape})
    randomize(cell)
    weights = cell.cell.get_weights()
    memory, states = memory_of(cell), cell.get_initial_state(2)
    h, c = np.zeros((2, 4)), np.zeros((2, 4))
    for x in INPUTS:
        output, states, _ = cell(x, states, memory)
        score = cell.attention.score.get_weights()
        context, _ = attend(h, VALUE, MASK, score)  # h attends, not c
        h, c = lstm(np.hstack([x, context]), h, c, *weights)
        np.testing.assert_allclose(
            ops.convert_to_numpy(output), np.hstack([h, context]), atol=1e-5
        )
        for actual, array in zip(states["cell"], (h, c)):
            np.testing.assert_allclose(
                ops.convert_to_numpy(actual), array, atol=1e-5
            )


def test_sizes():
    cell = BahdanauCell(keras.layers.LSTMCell(4))
    cell.build((None, 3), {"value": (None, None, 6)})
    assert cell.state_size == {"cell": [4, 4]}
    assert cell.query_size == 4
    assert cell.output_size == 10


@pytest.mark.parametrize(
    "wrong", ["gru", None, keras.layers.Dense(3), keras.layers.GRU(4)]
)
def test_errors(wrong):
    message = "`cell` must be a Keras cell.*not a name.*Received: cell="
    with pytest.raises(ValueError, match=message):
        BahdanauCell(wrong)
    with pytest.raises(ValueError, match="`score`.*Received: score='copy'"):
        BahdanauCell(keras.layers.GRUCell(4), score="copy")
