import math

import numpy as np
import pytest
from keras import ops

from keras_seq2seq.layers import FeedForward
from keras_seq2seq.testing import run_serialization_test
from tests.helpers.numpy_cells import randomize

INPUTS = np.random.default_rng(0).normal(size=(2, 3, 4)).astype("float32")


def gelu(x):
    return x * (1 + np.vectorize(math.erf)(x / np.sqrt(2))) / 2


@pytest.mark.parametrize(
    "name, function",
    [("relu", lambda x: np.maximum(x, 0)), ("gelu", gelu)],
)
def test_against_numpy(name, function):
    layer = FeedForward(5, name)
    layer.build(INPUTS.shape)
    randomize(layer)
    w, b, v, c = layer.get_weights()
    np.testing.assert_allclose(
        ops.convert_to_numpy(layer(INPUTS)),
        function(INPUTS.astype("float64") @ w + b) @ v + c,
        atol=1e-5,
    )


def test_without_biases():
    layer = FeedForward(5, use_bias=False)
    layer.build(INPUTS.shape)
    w, v = layer.get_weights()
    np.testing.assert_allclose(
        ops.convert_to_numpy(layer(INPUTS)),
        np.maximum(INPUTS.astype("float64") @ w, 0) @ v,
        atol=1e-5,
    )


def test_width_serialization_and_errors():
    layer = run_serialization_test(FeedForward(activation="gelu"))
    layer.build(INPUTS.shape)
    assert layer.get_weights()[0].shape == (4, 16)
    for width in (0, 2.5):
        with pytest.raises(ValueError, match=f"intermediate_dim={width}"):
            FeedForward(width)
