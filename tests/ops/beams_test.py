import keras
import numpy as np
from keras import ops

from keras_seq2seq.ops import flatten_beams
from keras_seq2seq.ops import gather_beams
from keras_seq2seq.ops import reshape_like
from keras_seq2seq.ops import select_rows
from keras_seq2seq.ops import write_time


def test_flatten_beams():
    x = np.arange(12).reshape(2, 3, 2)
    np.testing.assert_array_equal(
        ops.convert_to_numpy(flatten_beams(ops.array(x))), x.reshape(6, 2)
    )


def test_gather_beams():
    x = ops.array([[10, 11, 12], [20, 21, 22]])
    beams = ops.array([[2, 2], [0, 1]])
    assert ops.convert_to_numpy(gather_beams(x, beams)).tolist() == [
        [12, 12],
        [20, 21],
    ]


def test_select_rows():
    # Rows 0-2 are the beams of source 0, rows 3-5 those of source 1.
    states = {
        "a": ops.array(np.arange(6.0)[:, None]),
        "b": [ops.array(np.arange(24.0).reshape(6, 2, 2))],
    }
    beams = ops.array([[2, 0, 0], [1, 1, 2]], "int32")
    new = select_rows(states, beams, num_beams=3)
    rows = [2, 0, 0, 4, 4, 5]
    keras.tree.assert_same_structure(new, states)
    for x, y in zip(keras.tree.flatten(new), keras.tree.flatten(states)):
        np.testing.assert_array_equal(
            ops.convert_to_numpy(x), ops.convert_to_numpy(y)[rows]
        )


def test_reshape_like():
    x = reshape_like(ops.array([[1, 2]]), ops.zeros((2,), "float32"))
    assert tuple(x.shape) == (2,)
    assert keras.backend.standardize_dtype(x.dtype) == "float32"


def test_write_time():
    history = ops.zeros((3, 2), "int32")
    new = write_time(history, ops.array(1, "int32"), ops.array([7, 8], "int32"))
    assert ops.convert_to_numpy(new).tolist() == [[0, 0], [7, 8], [0, 0]]
    assert not ops.convert_to_numpy(history).any()
