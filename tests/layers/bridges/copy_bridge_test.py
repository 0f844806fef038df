import keras
import numpy as np
import pytest
from keras import ops

from keras_seq2seq.layers import CopyBridge
from keras_seq2seq.testing import run_serialization_test

FORWARD = [np.full((2, 3), 1.0), np.full((2, 3), 2.0)]
BACKWARD = [np.full((2, 3), 3.0), np.full((2, 3), 4.0)]
SHAPES = [(None, 3), (None, 3)]


def test_battery():
    run_serialization_test(CopyBridge())


def test_one_direction():
    bridge = CopyBridge()
    bridge.build({"forward": SHAPES}, state_size=[3, 3])
    states = bridge({"forward": FORWARD})
    assert isinstance(states, list)
    for actual, expected in zip(states, FORWARD):
        np.testing.assert_array_equal(ops.convert_to_numpy(actual), expected)


def test_two_directions_side_by_side():
    bridge = CopyBridge()
    shapes = {"forward": SHAPES, "backward": SHAPES}
    bridge.build(shapes, state_size=[6, 6])
    states = bridge({"forward": FORWARD, "backward": BACKWARD})
    for actual, expected in zip(states, ([1, 3], [2, 4])):
        np.testing.assert_array_equal(
            ops.convert_to_numpy(actual), np.repeat([expected] * 2, 3, axis=1)
        )


@pytest.mark.parametrize("state_size", [5, [3], [3, 4], [3, 3, 3]])
def test_errors(state_size):
    sizes = keras.tree.flatten(state_size)
    message = rf"encoder=\[3, 3\], decoder=\{sizes}.*bridge='dense'"
    with pytest.raises(ValueError, match=message):
        CopyBridge().build({"forward": SHAPES}, state_size=state_size)
