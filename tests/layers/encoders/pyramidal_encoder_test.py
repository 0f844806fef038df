import keras
import numpy as np
import pytest
from keras import ops

from keras_seq2seq.layers import LuongCell
from keras_seq2seq.layers import PyramidalEncoder
from keras_seq2seq.layers import RecurrentDecoder
from keras_seq2seq.layers import RecurrentEncoder
from keras_seq2seq.layers import StackedEncoder
from keras_seq2seq.models import Seq2Seq
from keras_seq2seq.testing import run_encoder_test
from keras_seq2seq.testing import run_model_test
from tests.helpers.models import SIZES
from tests.helpers.models import shaken
from tests.helpers.numpy_cells import randomize
from tests.helpers.numpy_encoders import padded
from tests.helpers.numpy_encoders import two_ways

RNG = np.random.default_rng(0)
LENGTHS = [7, 5, 4, 1, 0]
HALVES = [2, 2, 1, 1, 0]  # rounded up, twice
X = RNG.normal(size=(5, 7, 2)).astype("float32")


def layer(units=3):
    return RecurrentEncoder(keras.layers.GRUCell(units), bidirectional=True)


def mask_of(length):
    return np.arange(length) < np.array(LENGTHS)[:, None]


def numpy_pairs(x):
    x = np.pad(x, ((0, len(x) % 2), (0, 0)))
    return x.reshape(len(x) // 2, 2 * x.shape[1])


def numpy_pyramid(x, weights):
    for begin in (0, 6):
        x, last, first = two_ways(numpy_pairs(x), weights[begin : begin + 6])
    return x, last, first


def test_battery():
    run_encoder_test(PyramidalEncoder([layer(), layer()], dropout=0.1))


@pytest.mark.parametrize("more", range(6))
def test_against_numpy_whatever_the_padding(more):
    encoder = PyramidalEncoder([layer(), layer()])
    encoder.build((None, None, 2))
    randomize(encoder)
    weights = encoder.get_weights()
    x = np.pad(X, ((0, 0), (0, more), (0, 0)), constant_values=100.0)
    mask = mask_of(7 + more)
    x = np.where(mask[..., None], x, np.float32(100))  # no zeros of ours
    memory, states = encoder(x, mask=ops.array(mask))
    new_mask, _ = encoder.compute_mask(x, ops.array(mask))
    length = -(-(7 + more) // 4)
    assert tuple(memory.shape) == (5, length, 6)
    np.testing.assert_array_equal(
        ops.convert_to_numpy(new_mask),
        np.arange(length) < np.array(HALVES)[:, None],
    )
    for row in range(5):
        expected, last, first = numpy_pyramid(X[row, : LENGTHS[row]], weights)
        assert len(expected) == HALVES[row]
        actual = ops.convert_to_numpy(memory)[row]
        np.testing.assert_allclose(actual, padded(expected, length), atol=1e-5)
        for name, state in (("forward", last), ("backward", first)):
            actual = ops.convert_to_numpy(states[name][1][0])[row]
            np.testing.assert_allclose(actual, state, atol=1e-5)


def test_a_pair_with_one_real_step_is_real():
    encoder = PyramidalEncoder([RecurrentEncoder(keras.layers.GRUCell(3))])
    mask = np.array([[0, 1, 1, 1, 0, 0, 1]], bool)
    new_mask, _ = encoder.compute_mask(None, ops.array(mask))
    expected = [[True, True, False, True]]
    assert ops.convert_to_numpy(new_mask).tolist() == expected


@pytest.mark.parametrize("length", [None, 5, 6])
def test_symbolic_shapes(length):
    encoder = PyramidalEncoder([layer(), layer()])
    inputs = keras.Input((length, 2))
    memory, states = encoder(inputs)
    assert memory.shape == (None, length and 2, 6)
    model = keras.Model(inputs, [memory, states["backward"]])
    outputs = model(X[:, : length or 7])
    outputs = keras.tree.flatten(outputs)
    assert [tuple(x.shape) for x in outputs] == [(5, 2, 6), (5, 3), (5, 3)]


def test_model():
    encoder = StackedEncoder([layer(2), PyramidalEncoder([layer(2)])])
    cell = LuongCell(keras.layers.GRUCell(4), input_feeding=False)
    model = Seq2Seq(encoder, RecurrentDecoder(cell, bridge="mean"), **SIZES)
    run_model_test(shaken(model), policies=[])
