import re

import keras
import numpy as np
import pytest
from keras import ops

from keras_seq2seq.layers import BahdanauCell
from keras_seq2seq.layers import CopyBridge
from keras_seq2seq.layers import RecurrentDecoder
from keras_seq2seq.layers import RecurrentEncoder
from keras_seq2seq.layers import RecurrentStack
from keras_seq2seq.layers import StackedEncoder
from keras_seq2seq.models import Seq2Seq
from keras_seq2seq.testing import run_bridge_test
from tests.helpers.models import SIZES

FORWARD = [np.full((2, 3), 1.0), np.full((2, 3), 2.0)]
BACKWARD = [np.full((2, 3), 3.0), np.full((2, 3), 4.0)]
SHAPES = [(None, 3), (None, 3)]


def test_battery():
    run_bridge_test(CopyBridge(), state_size=8)


def test_one_direction():
    bridge = CopyBridge()
    bridge.build({"forward": SHAPES}, state_size=[3, 3])
    states = bridge({"forward": FORWARD})
    assert isinstance(states, list)
    for actual, expected in zip(states, FORWARD):
        np.testing.assert_array_equal(ops.convert_to_numpy(actual), expected)


def test_two_directions_side_by_side():
    bridge = CopyBridge()
    shapes = {"backward": SHAPES, "forward": SHAPES}  # in any order
    bridge.build(shapes, state_size=[6, 6])
    states = bridge({"backward": BACKWARD, "forward": FORWARD})
    for actual, expected in zip(states, ([1, 3], [2, 4])):  # forward first
        np.testing.assert_array_equal(
            ops.convert_to_numpy(actual), np.repeat([expected] * 2, 3, axis=1)
        )


@pytest.mark.parametrize("state_size", [5, [3], [3, 4], [3, 3, 3]])
def test_errors(state_size):
    sizes = keras.tree.flatten(state_size)
    message = rf"encoder=\[3, 3\], decoder=\{sizes}.*bridge='dense'"
    with pytest.raises(ValueError, match=message):
        CopyBridge().build({"forward": SHAPES}, state_size=state_size)


def stack(residual=True):
    return RecurrentStack(
        [keras.layers.LSTMCell(3), keras.layers.GRUCell(3)], residual
    )


def test_a_deep_encoder_and_a_deep_cell():
    memory, states = RecurrentEncoder(stack())(np.ones((2, 5, 4)))
    bridge = CopyBridge()
    shapes = keras.tree.map_structure(lambda x: tuple(x.shape), states)
    bridge.build(shapes, [[3, 3], 3])
    (h, c), top = bridge(states)
    for actual, expected in zip((h, c, top), keras.tree.flatten(states)):
        np.testing.assert_array_equal(
            ops.convert_to_numpy(actual), ops.convert_to_numpy(expected)
        )


def layer(**kwargs):
    return RecurrentEncoder(keras.layers.GRUCell(3), **kwargs)


@pytest.mark.parametrize(
    "encoder, given",
    [
        (RecurrentEncoder(stack()), "[3, 3, 3]"),
        (RecurrentEncoder(stack(), bidirectional=True), "[6, 6, 6]"),
        (StackedEncoder([layer(), layer()]), "[3, 3]"),
        (
            StackedEncoder([layer(bidirectional=True), layer()]),
            "{'forward': [3, 3], 'backward': [3]}",
        ),
    ],
)
def test_errors_of_deep_encoders(encoder, given):
    cell = BahdanauCell(RecurrentStack([keras.layers.LSTMCell(4)] * 2))
    decoder = RecurrentDecoder(cell, bridge="copy")
    message = re.escape(f"encoder={given}, decoder=[4, 4, 4, 4]")
    with pytest.raises(ValueError, match=message):
        Seq2Seq(encoder, decoder, **SIZES)
