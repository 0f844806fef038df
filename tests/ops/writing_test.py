import keras
import numpy as np
import pytest
from keras import ops

from keras_seq2seq.ops import write
from keras_seq2seq.ops import write_time


@pytest.mark.parametrize("axis", [0, 1, 2, 3])
@pytest.mark.parametrize("first", [0, 1, 3])
def test_write(axis, first):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(5, 6, 7, 8)).astype("float32")
    shape = [5, 6, 7, 8]
    shape[axis] = 2
    entry = rng.normal(size=shape).astype("float32")
    expected = x.copy()
    place = [slice(None)] * 4
    place[axis] = slice(first, first + 2)
    expected[tuple(place)] = entry
    tensor = ops.array(x)
    for where in (first, ops.array(first, "int32")):
        new = write(tensor, ops.array(entry), where, axis)
        np.testing.assert_array_equal(ops.convert_to_numpy(new), expected)
    np.testing.assert_array_equal(ops.convert_to_numpy(tensor), x)


def test_write_in_a_loop():
    """Squares, two at a time, at the places that the loop counts."""

    def body(index, x):
        entry = ops.cast(ops.stack([2 * index, 2 * index + 1]), "float32") ** 2
        return index + 1, write(x, ops.reshape(entry, (1, 2)), 2 * index, 1)

    _, x = ops.while_loop(
        lambda index, x: index < 3,
        body,
        (ops.array(0, "int32"), ops.zeros((1, 7))),
    )
    assert ops.convert_to_numpy(x).tolist() == [[0, 1, 4, 9, 16, 25, 0]]


def test_write_time():
    history = ops.zeros((3, 2), "int32")
    new = write_time(history, ops.array(1, "int32"), ops.array([7, 8], "int32"))
    assert ops.convert_to_numpy(new).tolist() == [[0, 0], [7, 8], [0, 0]]
    assert keras.backend.standardize_dtype(new.dtype) == "int32"
    assert not ops.convert_to_numpy(history).any()
