import keras
import numpy as np
import pytest
from keras import ops

from keras_seq2seq.ops import masked_sparsemax
from tests.helpers.gradients import gradient
from tests.helpers.gradients import numerical_gradient

RNG = np.random.default_rng(0)
MASK = np.array([[1, 1, 1, 1, 1, 1], [1, 0, 1, 0, 1, 1], [0] * 6], bool)


def numpy_sparsemax(x, mask):
    """By bisection for the threshold, in float64, over the real places."""
    result = np.zeros(x.shape)
    for index in np.ndindex(x.shape[:-1]):
        z = x[index][mask[index]].astype("float64")
        if not z.size:
            continue
        low, high = z.min() - 1, z.max()
        for _ in range(80):
            middle = (low + high) / 2
            if np.maximum(z - middle, 0).sum() > 1:
                low = middle
            else:
                high = middle
        result[index][mask[index]] = np.maximum(z - low, 0)
    return result


@pytest.mark.parametrize("scale", [0.1, 1.0, 10.0])
def test_against_bisection(scale):
    x = (scale * RNG.normal(size=(20, 3, 6))).astype("float32")
    mask = np.broadcast_to(MASK, x.shape)
    weights = ops.convert_to_numpy(
        masked_sparsemax(ops.array(x), ops.array(MASK))
    )
    np.testing.assert_allclose(weights, numpy_sparsemax(x, mask), atol=1e-5)
    assert not weights[~mask].any()
    without = ops.convert_to_numpy(masked_sparsemax(ops.array(x)))
    everywhere = np.ones(x.shape, bool)
    np.testing.assert_allclose(
        without, numpy_sparsemax(x, everywhere), atol=1e-5
    )


def test_by_hand():
    # Two places: (1 + difference) / 2, cut to [0, 1]. Ties share.
    x = np.array([[1.0, 0.9], [0.0, 5.0], [2.0, 2.0]], "float32")
    np.testing.assert_allclose(
        ops.convert_to_numpy(masked_sparsemax(ops.array(x))),
        [[0.55, 0.45], [0.0, 1.0], [0.5, 0.5]],
        atol=1e-6,
    )


def test_gradient():
    # In the first row five places have weight, in the second two.
    x = np.array([[0.1, 0.2, -0.05, 0.3, 0.0, -9.0], [1, 9, 0.5, 9, -4, 0]])
    x, mask = x.astype("float32"), MASK[:2]
    factors = RNG.normal(size=x.shape).astype("float32")
    actual = gradient(
        lambda x: ops.sum(
            masked_sparsemax(x, ops.array(mask)) * ops.array(factors)
        ),
        x,
    )
    expected = numerical_gradient(
        lambda x: np.sum(numpy_sparsemax(x, mask) * factors), x
    )
    np.testing.assert_allclose(actual, expected, atol=1e-5)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32"])
def test_extremes_are_finite(dtype):
    x = ops.array([[6e4, -6e4, 0.0], [6e4, 6e4, 6e4], [6e4, 6e4, 6e4]])
    mask = ops.array([[False, True, True], [False] * 3, [True] * 3])
    y = masked_sparsemax(ops.cast(x, dtype), mask)
    assert keras.backend.standardize_dtype(y.dtype) == dtype
    third = 1 / 3
    np.testing.assert_allclose(
        ops.convert_to_numpy(ops.cast(y, "float32")),
        [[0.0, 0.0, 1.0], [0.0, 0.0, 0.0], [third, third, third]],
        atol=1e-3,
    )
