import keras
import numpy as np
import pytest
from keras import ops

from keras_seq2seq.ops import masked_softmax
from keras_seq2seq.ops import weighted_sum


def numpy_softmax(x, mask):
    """Row by row over the real places alone, in float64."""
    result = np.zeros(x.shape)
    for index in np.ndindex(x.shape[:-1]):
        real = mask[index]
        if real.any():
            e = np.exp(x[index][real] - x[index][real].max())
            result[index][real] = e / e.sum()
    return result


def test_masked_softmax():
    rng = np.random.default_rng(0)
    x = 5 * rng.normal(size=(4, 3, 6)).astype("float32")
    mask = rng.random((4, 3, 6)) < 0.5
    mask[1] = False
    actual = ops.convert_to_numpy(masked_softmax(ops.array(x), ops.array(mask)))
    np.testing.assert_allclose(actual, numpy_softmax(x, mask), atol=1e-6)
    assert not actual[~mask].any()


def test_without_a_mask():
    x = np.array([[0.0, np.log(3.0)]], "float32")
    np.testing.assert_allclose(
        ops.convert_to_numpy(masked_softmax(ops.array(x))),
        [[0.25, 0.75]],
        atol=1e-6,
    )


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32"])
def test_extremes_are_finite(dtype):
    x = ops.cast(ops.array([[6e4, -6e4, 0.0], [6e4, 6e4, 6e4]]), dtype)
    mask = ops.array([[False, True, True], [False, False, False]])
    y = masked_softmax(x, mask)
    assert keras.backend.standardize_dtype(y.dtype) == dtype
    np.testing.assert_array_equal(
        ops.convert_to_numpy(ops.cast(y, "float32")),
        [[0.0, 0.0, 1.0], [0.0, 0.0, 0.0]],
    )


def test_energies_below_the_mask_value():
    # Real places count, however low they are.
    x = ops.array([[-3e9, -3e9, 0.0]])
    y = masked_softmax(x, ops.array([[True, True, False]]))
    np.testing.assert_allclose(ops.convert_to_numpy(y), [[0.5, 0.5, 0.0]])


def test_weighted_sum():
    weights = ops.array([[[0.5, 0.5, 0.0], [0.0, 0.0, 1.0]]])
    value = ops.array([[[2.0, 0.0], [4.0, 8.0], [1.0, 1.0]]])
    np.testing.assert_allclose(
        ops.convert_to_numpy(weighted_sum(weights, value)),
        [[[3.0, 4.0], [1.0, 1.0]]],
    )
