import numpy as np
import pytest
from keras import ops

from keras_seq2seq.search.penalties import AvgPenalty
from keras_seq2seq.search.penalties import BrevityPenalty
from keras_seq2seq.search.penalties import LengthPenalty
from keras_seq2seq.search.penalties import NonePenalty
from keras_seq2seq.search.penalties import WuPenalty
from keras_seq2seq.testing import run_serialization_test
from keras_seq2seq.utils import registry

LENGTHS = np.array([[1.0, 4.0, 7.0]], "float32")


@pytest.mark.parametrize(
    "penalty, expected",  # of the log-probability -6, and a source of 4
    [
        (NonePenalty(), [-6.0, -6.0, -6.0]),
        (AvgPenalty(), [-6.0, -1.5, -6 / 7]),
        (WuPenalty(1.0), [-6.0, -4.0, -3.0]),  # (5 + length) / 6
        (WuPenalty(0.0), [-6.0, -6.0, -6.0]),
        (WuPenalty(2.0), [-6.0, -6 / 2.25, -1.5]),
        (WuPenalty(-1.0), [-6.0, -9.0, -12.0]),
        (BrevityPenalty(), [-9.0, -6.0, -6.0]),  # 1 - 4 / length
        (BrevityPenalty(2.0, ratio=1.5), [-16.0, -7.0, -6.0]),
    ],
)
def test_by_hand(penalty, expected):
    actual = penalty(
        ops.full((1, 3), -6.0),
        ops.array(LENGTHS),
        {"source_lengths": ops.array([4], "int32")},
    )
    np.testing.assert_allclose(
        ops.convert_to_numpy(actual)[0], expected, rtol=1e-6
    )
    run_serialization_test(penalty)


def test_names():
    assert set(registry.names(LengthPenalty)) >= {
        "none",
        "avg",
        "wu",
        "brevity",
    }


@pytest.mark.parametrize("value", [float("nan"), "1", float("inf")])
def test_errors(value):
    with pytest.raises(ValueError, match="`alpha` must be a finite.*Received"):
        WuPenalty(value)
    with pytest.raises(ValueError, match="`weight` must be a finite"):
        BrevityPenalty(value)
    with pytest.raises(ValueError, match="`ratio` must be a finite"):
        BrevityPenalty(ratio=value)
