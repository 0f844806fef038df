import numpy as np
import pytest
from keras import ops

from keras_seq2seq.ops import length_penalty

LENGTHS = np.array([1.0, 4.0, 7.0], "float32")


@pytest.mark.parametrize(
    "name, alpha, expected",
    [
        ("none", 0.6, [1.0, 1.0, 1.0]),
        ("avg", 0.6, [1.0, 4.0, 7.0]),
        ("wu", 1.0, [1.0, 1.5, 2.0]),  # (5 + length) / 6
        ("wu", 0.0, [1.0, 1.0, 1.0]),
        ("wu", 2.0, [1.0, 2.25, 4.0]),
        ("wu", -1.0, [1.0, 2 / 3, 0.5]),
    ],
)
def test_by_hand(name, alpha, expected):
    actual = length_penalty(name, ops.array(LENGTHS), alpha)
    np.testing.assert_allclose(
        ops.convert_to_numpy(actual), expected, rtol=1e-6
    )


def test_errors():
    message = "`name` must be one of.*avg.*Received: name='brevity'"
    with pytest.raises(ValueError, match=message):
        length_penalty("brevity", ops.array(LENGTHS))
