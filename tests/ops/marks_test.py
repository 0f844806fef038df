import numpy as np
from keras import ops

from keras_seq2seq.ops import mark_tokens


def test_by_hand():
    token_ids = ops.array([[0, 3, 3, 1], [-1, 4, 5, 2]], "int32")
    where = ops.array([[True, True, False, False], [True] * 4])
    found = ops.convert_to_numpy(mark_tokens(token_ids, where, 5))
    expected = [[1, 0, 0, 1, 0], [0, 0, 1, 0, 1]]
    np.testing.assert_array_equal(found, np.array(expected, "bool"))


def test_nothing_to_mark():
    token_ids = ops.zeros((2, 0), "int32")
    found = mark_tokens(token_ids, ops.zeros((2, 0), "bool"), 3)
    assert not ops.convert_to_numpy(found).any()
    assert tuple(found.shape) == (2, 3)
