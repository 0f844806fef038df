import keras
import numpy as np
from keras import ops

from keras_seq2seq.layers import SutskeverCell
from keras_seq2seq.testing import run_cell_test
from tests.helpers.numpy_cells import lstm
from tests.helpers.numpy_cells import randomize

RNG = np.random.default_rng(0)
VALUE = RNG.normal(size=(2, 5, 3)).astype("float32")
INPUTS = RNG.normal(size=(4, 2, 3)).astype("float32")  # time, batch, dim


def test_battery():
    run_cell_test(SutskeverCell(keras.layers.GRUCell(4)))


def test_against_numpy():
    cell = SutskeverCell(keras.layers.LSTMCell(4))
    cell.build((2, 3), {"value": VALUE.shape})
    randomize(cell)
    memory = cell.prepare_memory(ops.array(VALUE))
    states = cell.get_initial_state(2)
    h, c = np.zeros((2, 2, 4))
    for x in INPUTS:
        output, states, scores = cell(x, states, memory)
        h, c = lstm(x, h, c, *cell.cell.get_weights())
        np.testing.assert_allclose(ops.convert_to_numpy(output), h, atol=1e-5)
        assert not ops.convert_to_numpy(scores).any()
        assert tuple(scores.shape) == (2, 5)
