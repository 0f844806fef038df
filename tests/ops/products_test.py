import numpy as np
import pytest
from keras import ops

from keras_seq2seq.ops import on_rows
from keras_seq2seq.ops import product

MATRIX = np.random.default_rng(0).normal(size=(4, 3))


@pytest.mark.parametrize("shape", [(4,), (5, 4), (2, 5, 4), (2, 3, 5, 4)])
def test_product(shape):
    x = np.random.default_rng(1).normal(size=shape)
    found = product(ops.array(x, "float32"), ops.array(MATRIX, "float32"))
    assert tuple(found.shape) == (*shape[:-1], 3)
    np.testing.assert_allclose(
        ops.convert_to_numpy(found), x @ MATRIX, atol=1e-6
    )


@pytest.mark.parametrize("shape", [(0, 4), (2, 0, 4), (0, 5, 4)])
def test_no_rows(shape):
    found = product(ops.zeros(shape), ops.array(MATRIX, "float32"))
    assert tuple(found.shape) == (*shape[:-1], 3)


def test_the_function_sees_a_matrix():
    seen = []

    def doubled(rows):
        seen.append(tuple(rows.shape))
        return rows * 2

    x = np.arange(24.0).reshape(2, 3, 4)
    found = on_rows(doubled, ops.array(x))
    assert seen == [(6, 4)]
    np.testing.assert_array_equal(ops.convert_to_numpy(found), x * 2)
