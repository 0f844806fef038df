import numpy as np
import pytest

from keras_seq2seq.data import pad_token_ids
from keras_seq2seq.data import teacher_forcing


def test_pad_token_ids():
    padded = pad_token_ids([[4, 5, 6], [7], []])
    assert padded.dtype == "int32"
    np.testing.assert_array_equal(padded, [[4, 5, 6], [7, 0, 0], [0, 0, 0]])
    padded = pad_token_ids([[4]], rows=2, length=3)
    np.testing.assert_array_equal(padded, [[4, 0, 0], [0, 0, 0]])


def test_pad_token_ids_keeps_a_column_for_nothing():
    np.testing.assert_array_equal(pad_token_ids([[], []]), [[0], [0]])
    assert pad_token_ids([]).shape == (0, 1)


def test_teacher_forcing():
    inputs, targets, weights = teacher_forcing([[7, 8], [], [9]])
    np.testing.assert_array_equal(inputs, [[1, 7, 8], [1, 0, 0], [1, 9, 0]])
    np.testing.assert_array_equal(targets, [[7, 8, 2], [2, 0, 0], [9, 2, 0]])
    np.testing.assert_array_equal(weights, [[1, 1, 1], [1, 0, 0], [1, 1, 0]])
    assert inputs.dtype == targets.dtype == "int32"
    assert weights.dtype == "float32"


def test_teacher_forcing_fills_up():
    inputs, targets, weights = teacher_forcing([[7]], rows=2, length=3)
    np.testing.assert_array_equal(inputs, [[1, 7, 0], [0, 0, 0]])
    np.testing.assert_array_equal(targets, [[7, 2, 0], [0, 0, 0]])
    np.testing.assert_array_equal(weights, [[1, 1, 0], [0, 0, 0]])


@pytest.mark.parametrize(
    ("size", "received"),
    [
        ({"rows": 1}, "rows=1, length=2 for 2 lists of up to 2 ids"),
        ({"length": 1}, "rows=2, length=1 for 2 lists"),
    ],
)
def test_errors(size, received):
    with pytest.raises(ValueError, match=f"Received: {received}"):
        pad_token_ids([[4, 5], [6]], **size)


def test_errors_of_no_column():
    with pytest.raises(ValueError, match="length=0"):
        pad_token_ids([[]], length=0)


@pytest.mark.parametrize("token_id", [2**31, 2**40, -(2**40)])
def test_ids_have_32_bits(token_id):
    for ids in ([4, token_id], np.array([4, token_id])):
        with pytest.raises(ValueError, match=f"the id {token_id}"):
            pad_token_ids([ids])
