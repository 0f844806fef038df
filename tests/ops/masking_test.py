import numpy as np
import pytest
from keras import ops

from keras_seq2seq.ops import last_real
from keras_seq2seq.ops import length_mask
from keras_seq2seq.ops import masked_mean
from keras_seq2seq.ops import padding_mask
from keras_seq2seq.ops import vocabulary_mask


def test_padding_mask():
    mask = padding_mask(ops.array([[5, 9, 0], [9, 9, 9]]), 9)
    assert ops.convert_to_numpy(mask).tolist() == [
        [True, False, True],
        [False, False, False],
    ]


def test_length_mask():
    mask = length_mask(ops.array([[0, 2], [3, 9]]), 3)
    assert ops.convert_to_numpy(mask).tolist() == [
        [[False] * 3, [True, True, False]],
        [[True] * 3, [True] * 3],
    ]


VALUE = np.random.default_rng(0).normal(size=(4, 5, 3)).astype("float32")
# Right-padded, whole, with a hole, nothing.
PLACES = [[0, 1, 2], [0, 1, 2, 3, 4], [0, 3], []]
MASK = np.array([[i in row for i in range(5)] for row in PLACES])


@pytest.mark.parametrize(
    "function, of_one_row",
    [(last_real, lambda x: x[-1]), (masked_mean, lambda x: x.mean(axis=0))],
)
def test_one_entry_of_a_memory(function, of_one_row):
    whole = [of_one_row(x) for x in VALUE]
    actual = ops.convert_to_numpy(function(ops.array(VALUE)))
    np.testing.assert_allclose(actual, whole, atol=1e-6)
    expected = [
        of_one_row(x[row]) if row else np.zeros(3)
        for x, row in zip(VALUE, PLACES)
    ]
    for value in (VALUE, np.where(MASK[..., None], VALUE, np.float32(1e4))):
        actual = function(ops.array(value), ops.array(MASK))
        np.testing.assert_allclose(
            ops.convert_to_numpy(actual), expected, atol=1e-6
        )


def test_vocabulary_mask():
    token_ids = ops.array([[0, 3, 3, 1], [-1, 4, 5, 2]], "int32")
    where = ops.array([[True, True, False, False], [True] * 4])
    mask = ops.convert_to_numpy(vocabulary_mask(token_ids, where, 5))
    expected = [[1, 0, 0, 1, 0], [0, 0, 1, 0, 1]]
    np.testing.assert_array_equal(mask, np.array(expected, "bool"))


def test_vocabulary_mask_of_no_ids():
    token_ids = ops.zeros((2, 0), "int32")
    mask = vocabulary_mask(token_ids, ops.zeros((2, 0), "bool"), 3)
    assert not ops.convert_to_numpy(mask).any()
    assert tuple(mask.shape) == (2, 3)
