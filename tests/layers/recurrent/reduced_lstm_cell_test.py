import numpy as np
import pytest
from keras import ops

from keras_seq2seq.layers import ReducedLSTMCell
from tests.helpers.numpy_mut import reduced_lstm

GATES = ["input", "forget", "output"]
PARTS = ["input", "forget", "candidate", "output"]


@pytest.mark.parametrize("without", GATES)
def test_against_numpy(without):
    rng = np.random.default_rng(0)
    cell = ReducedLSTMCell(3, without)
    cell.build((None, 2))
    weights = [rng.normal(size=w.shape) for w in cell.get_weights()]
    cell.set_weights(weights)
    names = [name for name in PARTS if name != without]
    split = [np.split(w, 3, axis=-1) for w in weights]
    w = dict(zip(names, zip(*split)))
    h, c = rng.normal(size=(2, 4, 3))
    states = [h, c]
    for x in rng.normal(size=(4, 4, 2)):
        output, states = cell(x.astype("float32"), states)
        h, c = reduced_lstm(x, h, c, w, without)
        for actual, expected in zip((output, *states), (h, h, c)):
            np.testing.assert_allclose(
                ops.convert_to_numpy(actual), expected, atol=1e-5
            )


@pytest.mark.parametrize(
    "without, one, expected",
    [
        ("input", True, [1, 1, 0, 0, 0, 0]),
        ("output", True, [0, 0, 1, 1, 0, 0]),
        ("forget", True, [0] * 6),
        ("output", False, [0] * 6),
    ],
)
def test_first_bias(without, one, expected):
    cell = ReducedLSTMCell(2, without, unit_forget_bias=one)
    cell.build((None, 3))
    bias = ops.convert_to_numpy(cell.bias)
    np.testing.assert_array_equal(bias, expected)


def test_errors():
    message = (
        r"`without` must be one of \['forget', 'input', 'output'\].*'cell'"
    )
    with pytest.raises(ValueError, match=message):
        ReducedLSTMCell(3, "cell")
