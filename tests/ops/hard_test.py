import keras
import numpy as np
import pytest
from keras import ops

from keras_seq2seq.ops import gumbel
from keras_seq2seq.ops import hard_weights
from tests.helpers.gradients import gradient

LOG = np.log
MASK = np.array([[True, True, True, False], [False] * 4])


def test_gumbel():
    u = np.array([0.0, 0.5, 1 - 2**-24], "float32")
    noise = ops.convert_to_numpy(gumbel(ops.array(u)))
    assert np.isfinite(noise).all()
    np.testing.assert_allclose(noise[1], -LOG(LOG(2)), atol=1e-6)


def test_the_most_probable_place():
    x = ops.array([[0.1, 0.3, -1.0, 9.0]] * 2)
    weights = hard_weights(x, ops.array(MASK))
    np.testing.assert_array_equal(
        ops.convert_to_numpy(weights), [[0, 1, 0, 0], [0, 0, 0, 0]]
    )
    np.testing.assert_array_equal(
        ops.convert_to_numpy(hard_weights(x))[0], [0, 0, 0, 1]
    )


def test_noise_decides():
    x = ops.array([[0.1, 0.3, -1.0, 9.0]])
    noise = ops.array([[0.0, 0.0, 3.0, 50.0]])
    weights = hard_weights(x, ops.array(MASK[:1]), noise)
    np.testing.assert_array_equal(ops.convert_to_numpy(weights), [[0, 0, 1, 0]])


def test_frequencies():
    # 20 000 draws: three standard deviations are at most 0.011.
    probabilities = np.array([0.5, 0.3, 0.15, 0.05])
    x = np.broadcast_to(LOG(probabilities), (20_000, 4)).astype("float32")
    uniform = np.random.default_rng(0).random(x.shape, "float32")
    weights = hard_weights(ops.array(x), noise=gumbel(ops.array(uniform)))
    np.testing.assert_allclose(
        ops.convert_to_numpy(weights).mean(0), probabilities, atol=0.011
    )


@pytest.mark.parametrize("place", [0, 1, 2])
def test_gradient_is_that_of_the_log_probability(place):
    x = np.array([[0.1, 0.3, -1.0, 9.0]] * 2, "float32")
    noise = ops.array(20.0 * np.eye(4, dtype="float32")[[place, place]])
    factors = ops.array([[1.0, -2.0, 3.0, 4.0]])
    actual = gradient(
        lambda x: ops.sum(hard_weights(x, ops.array(MASK), noise) * factors), x
    )
    softmax = np.exp(x[0, :3]) / np.exp(x[0, :3]).sum()
    expected = np.zeros(x.shape)
    expected[0, :3] = (1.0, -2.0, 3.0)[place] * (np.eye(3)[place] - softmax)
    np.testing.assert_allclose(actual, expected, atol=2e-6)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_extremes_are_exact(dtype):
    x = ops.cast(ops.array([[6e4, -6e4, 0.0], [6e4, 6e4, 6e4]]), dtype)
    mask = ops.array([[False, True, True], [False, False, False]])
    y = hard_weights(x, mask, noise=ops.zeros_like(x))
    assert keras.backend.standardize_dtype(y.dtype) == dtype
    np.testing.assert_array_equal(
        ops.convert_to_numpy(ops.cast(y, "float32")),
        [[0.0, 0.0, 1.0], [0.0, 0.0, 0.0]],
    )
