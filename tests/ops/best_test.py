import numpy as np
import pytest
from keras import ops

from keras_seq2seq.ops import top_k
from keras_seq2seq.ops.best import BLOCK


@pytest.mark.parametrize("size", [13, 40 * BLOCK, 60 * BLOCK + 1, 8000])
@pytest.mark.parametrize("ties", [False, True])
def test_top_k(size, ties):
    x = np.random.default_rng(size).normal(size=(6, size)).astype("float32")
    if ties:
        x = np.round(x, 1)
    k = min(size, 13)
    values, places = map(
        ops.convert_to_numpy, top_k(ops.convert_to_tensor(x), k)
    )
    expected = np.argsort(-x, axis=1, kind="stable")[:, :k]
    np.testing.assert_array_equal(
        values, np.take_along_axis(x, expected, axis=1)
    )
    np.testing.assert_array_equal(np.take_along_axis(x, places, axis=1), values)
    assert all(len(set(row)) == k for row in places.tolist())


def test_rows_of_minus_infinity():
    x = np.full((2, 8001), -np.inf, "float32")
    values, places = top_k(ops.convert_to_tensor(x), 5)
    assert (ops.convert_to_numpy(values) == -np.inf).all()
    assert (ops.convert_to_numpy(places) < 8001).all()
