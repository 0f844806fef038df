import numpy as np
from keras import ops

from keras_seq2seq.ops import length_mask
from keras_seq2seq.ops import padding_mask


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


    token_ids = np.array([[5, 2, 5, 2], [5, 5, 5, 5], [2, 2, 0, 0]])
    assert ops.convert_to_numpy(mask).tolist() == [
        [True, True, False, False],
        [True, True, True, True],
        [True, False, False, False],
    ]
