import keras
import numpy as np
import pytest
from keras import ops

from keras_seq2seq.layers import GNMTCell
from keras_seq2seq.layers import RecurrentStack
from keras_seq2seq.testing import run_cell_test
from tests.helpers.numpy_cells import attend
from tests.helpers.numpy_cells import gru
from tests.helpers.numpy_cells import randomize

RNG = np.random.default_rng(0)
VALUE = RNG.normal(size=(2, 5, 3)).astype("float32")
MASK = np.array([[1, 1, 1, 1, 1], [1, 1, 0, 0, 0]], bool)
INPUTS = RNG.normal(size=(4, 2, 3)).astype("float32")  # time, batch, dim


def stack(*units, cell=keras.layers.GRUCell):
    return keras.layers.StackedRNNCells([cell(n) for n in units])


def test_battery():
    run_cell_test(GNMTCell(stack(4, 4, 4)))
    run_cell_test(
        GNMTCell(stack(4, 5, cell=keras.layers.LSTMCell), residual=False)
    )
    run_cell_test(GNMTCell(stack(5, 4, 4), residual=2, upper_context="new"))


@pytest.mark.parametrize("upper_context", ["old", "new"])
@pytest.mark.parametrize("residual", [True, False, 2])
def test_against_numpy(residual, upper_context):
    """Wu et al. (2016), figure 1, and `use_new_attention` of gnmt_model.py."""
    cell = GNMTCell(
        stack(4, 4, 4), residual=residual, upper_context=upper_context
    )
    cell.build((2, 3), {"value": VALUE.shape})
    randomize(cell)
    memory = cell.prepare_memory(ops.array(VALUE), ops.array(MASK))
    states = cell.get_initial_state(2)
    bottom, middle, top = (inner.get_weights() for inner in cell.cell.cells)
    h0, h1, h2 = np.zeros((3, 2, 4))
    context = np.zeros((2, 3))
    for x in INPUTS:
        output, states, scores = cell(x, states, memory)
        score = cell.attention.score.get_weights()
        if upper_context == "old":
            context, expected = attend(h0, VALUE, MASK, score)
        h0 = gru(np.hstack([x, context]), h0, *bottom)
        if upper_context == "new":
            context, expected = attend(h0, VALUE, MASK, score)
        h1 = gru(np.hstack([h0, context]), h1, *middle)
        x1 = h1 + h0 if residual is True else h1
        h2 = gru(np.hstack([x1, context]), h2, *top)
        x2 = h2 + x1 if residual else h2
        np.testing.assert_allclose(ops.convert_to_numpy(output), x2, atol=1e-5)
        np.testing.assert_allclose(
            ops.convert_to_numpy(scores), expected, atol=1e-5
        )


def test_errors():
    message = "StackedRNNCells.* with at least two cells. Received: cell="
    for cell in (keras.layers.GRUCell(4), stack(4)):
        with pytest.raises(ValueError, match=message):
            GNMTCell(cell)
    with pytest.raises(ValueError, match=r"widths \[4, 5\].*residual=False"):
        GNMTCell(stack(4, 5))
    GNMTCell(stack(4, 5, 5), residual=2)  # the third adds the second
    with pytest.raises(ValueError, match=r"widths \[4, 5\].*residual=False"):
        GNMTCell(stack(5, 4, 5), residual=2)
    with pytest.raises(ValueError, match="residual=-1"):
        GNMTCell(stack(4, 4), residual=-1)
    with pytest.raises(ValueError, match="upper_context='top'"):
        GNMTCell(stack(4, 4), upper_context="top")
    inner = RecurrentStack(stack(4, 4).cells)
    with pytest.raises(ValueError, match=r"Stack\(residual=True\), residual=F"):
        GNMTCell(inner, residual=False)
    assert GNMTCell(inner).residual
