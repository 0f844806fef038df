import numpy as np
import pytest
from keras import ops

from keras_seq2seq.layers import ZeroBridge
from keras_seq2seq.testing import run_bridge_test


def test_battery():
    run_bridge_test(ZeroBridge(), state_size=[3, [5]])


@pytest.mark.parametrize(
    "states, memory",
    [({"forward": [np.ones((2, 3))]}, None), ({}, np.ones((2, 5, 3)))],
)
def test_zeros_in_the_structure_of_the_cell(states, memory):
    bridge = ZeroBridge()
    bridge.build({}, state_size=[[4, 5], 6])
    (a, b), c = bridge(states, memory)
    for actual, size in zip((a, b, c), (4, 5, 6)):
        np.testing.assert_array_equal(
            ops.convert_to_numpy(actual), np.zeros((2, size))
        )
