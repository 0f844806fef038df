import keras
import numpy as np
import pytest
from keras import ops

from keras_seq2seq.layers import ChoCell
from keras_seq2seq.testing import run_cell_test
from tests.layers.numpy_cells import gru
from tests.layers.numpy_cells import randomize

RNG = np.random.default_rng(0)
VALUE = RNG.normal(size=(3, 5, 3)).astype("float32")
LENGTHS = [5, 2, 0]
MASK = np.arange(5) < np.array(LENGTHS)[:, None]
INPUTS = RNG.normal(size=(4, 3, 3)).astype("float32")  # time, batch, dim


@pytest.mark.parametrize("context_in_output", [True, False])
def test_battery(context_in_output):
    cell = ChoCell(
        keras.layers.LSTMCell(4),
        context_units=5,
        context_in_output=context_in_output,
    )
    run_cell_test(cell)


def test_against_numpy():
    cell = ChoCell(keras.layers.GRUCell(4), context_units=2)
    cell.build((3, 3), {"value": VALUE.shape})
    randomize(cell)
    memory = cell.prepare_memory(ops.array(VALUE), ops.array(MASK))
    states = cell.get_initial_state(3)
    last = np.stack([VALUE[0, 4], VALUE[1, 1], np.zeros(3)])
    context = np.tanh(last @ cell.context.get_weights()[0])
    h = np.zeros((3, 4))
    for x in INPUTS:
        output, states = cell(x, states, memory)
        h = gru(np.hstack([x, context]), h, *cell.cell.get_weights())
        np.testing.assert_allclose(
            ops.convert_to_numpy(output), np.hstack([h, context]), atol=1e-5
        )


def test_errors():
    message = "`context_units`.*Received: context_units=0"
    with pytest.raises(ValueError, match=message):
        ChoCell(keras.layers.GRUCell(4), context_units=0)
