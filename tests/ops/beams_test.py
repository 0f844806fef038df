import collections

import keras
import numpy as np
import pytest
from keras import ops

from keras_seq2seq.ops import by_row
from keras_seq2seq.ops import flatten_beams
from keras_seq2seq.ops import gather_beams
from keras_seq2seq.ops import repeat_rows
from keras_seq2seq.ops import reshape_like
from keras_seq2seq.ops import row_count
from keras_seq2seq.ops import select_rows
from keras_seq2seq.ops import states_like


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


def test_beams_of_no_rows():
    found = gather_beams(ops.zeros((0, 2)), ops.zeros((0, 4), "int32"))
    assert tuple(found.shape) == (0, 4)


def test_rows_of_states():
    assert row_count({"x": [ops.zeros((6, 2))]}) == 6
    with pytest.raises(ValueError, match="`states` must hold a tensor"):
        row_count({"x": []})


def test_by_row():
    rows = by_row(ops.array([7, 9]), ops.zeros((6,)))
    assert ops.convert_to_numpy(rows).tolist() == [7, 7, 7, 9, 9, 9]
    assert keras.backend.standardize_dtype(rows.dtype) == "int32"


def test_states_may_be_nested_in_any_way():
    pair = collections.namedtuple("Pair", ["a", "b"])
    states = pair(ops.array([1.0]), [ops.array([2.0])])
    new = repeat_rows(states, 2)
    assert isinstance(new, pair)
    assert ops.convert_to_numpy(new.b[0]).tolist() == [2, 2]
    like = states_like(new, repeat_rows(states, 2))
    assert isinstance(like, pair)
    with pytest.raises((TypeError, ValueError), match="namedtuple|Pair"):
        states_like(new, [new.a])


def test_reshape_like():
    x = reshape_like(ops.array([[1, 2]]), ops.zeros((2,), "float32"))
    assert tuple(x.shape) == (2,)
    assert keras.backend.standardize_dtype(x.dtype) == "float32"
