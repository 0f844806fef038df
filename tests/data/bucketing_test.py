import numpy as np
import pytest

from keras_seq2seq.data import assign_buckets
from keras_seq2seq.data import bucket_length

GRID = [4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256]


def test_bucket_length():
    for length in range(257):
        assert bucket_length(length) == min(g for g in GRID if g >= length)


def test_bucket_length_errors():
    with pytest.raises(ValueError, match="`length`.*Received: length=-1"):
        bucket_length(-1)


def test_assign_buckets():
    sources, targets = [1, 1, 4, 3], [5, 7, 1, 6]
    index = assign_buckets(sources, targets, [(3, 6), (4, 9)])
    np.testing.assert_array_equal(index, [0, 1, 1, 0])
    with pytest.raises(ValueError, match=r"Received: buckets up to \(4, 9\)"):
        assign_buckets([5], [1], [(3, 6), (4, 9)])
