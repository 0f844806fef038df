import numpy as np
import pytest
from keras import ops

from keras_seq2seq.layers.recurrent.final_states import final_state
from keras_seq2seq.layers.recurrent.final_states import final_width
from keras_seq2seq.layers.recurrent.final_states import layers_of


def state(value, width=1):
    return ops.full((2, width), value, "float32")


CASES = {
    "a_gru": ({"forward": [state(1)]}, [1]),
    "an_lstm": ({"forward": [state(1), state(2)]}, [1]),
    "backwards": ({"backward": [state(1), state(2)]}, [1]),
    "two_directions": (
        {"backward": [state(1)], "forward": [state(2, width=2)]},
        [2, 2, 1],
    ),
    "two_grus": ({"forward": [[state(1)], [state(2)]]}, [2]),
    "two_lstms": (
        {"forward": [[state(1), state(2)], [state(3), state(4)]]},
        [3],
    ),
    "two_directions_below": (
        {"backward": [[state(1)]], "forward": [[state(2)], [state(3)]]},
        [3, 1],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_by_hand(name):
    states, expected = CASES[name]
    np.testing.assert_array_equal(
        ops.convert_to_numpy(final_state(states)), [expected] * 2
    )
    shapes = {
        direction: shapes_of(entries) for direction, entries in states.items()
    }
    assert final_width(shapes) == len(expected)


def shapes_of(x):
    return [shapes_of(y) for y in x] if isinstance(x, list) else tuple(x.shape)


def test_no_states():
    for states in ({}, None):
        assert final_state(states) is None
        assert final_width(states) == 0


def test_layers():
    assert layers_of([1, 2]) == [[1, 2]]
    assert layers_of([[1], [2]]) == [[1], [2]]
