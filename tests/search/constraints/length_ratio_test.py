import math

import numpy as np
import pytest

from keras_seq2seq.search.constraints import LengthRatio
from keras_seq2seq.testing import run_constraint_test
from tests.helpers.enumeration import ROWS
from tests.helpers.enumeration import check_bans

SOURCES = (np.arange(ROWS) % 7).astype("int32")


def test_battery():
    ratio = LengthRatio(0.4, maximum=1.0)
    run_constraint_test(ratio, {"source_lengths": SOURCES[:6]})


@pytest.mark.parametrize(
    "minimum, maximum",
    [(0.5, None), (0.0, 0.7), (0.3, 0.3), (0.0, None), (0.8, None), (1.0, 1.5)],
)
def test_against_enumeration(minimum, maximum):
    def least_of(row):
        # In tenths, so that 0.3 * 10 is 3.
        return -(-round(10 * minimum) * int(SOURCES[row]) // 10)

    def allowed(row, before, token):
        source, length = int(SOURCES[row]), len(before) + 1
        least = least_of(row)
        if token == 2:
            return length >= least
        most = math.inf
        if maximum is not None:
            most = max(round(10 * maximum) * source // 10, least, 1)
        return length < most

    inputs = {"source_lengths": SOURCES}
    check_bans(
        LengthRatio(minimum, maximum=maximum),
        allowed,
        inputs,
        may_stop=lambda row, tokens: len(tokens) >= least_of(row),
    )


def test_errors():
    with pytest.raises(ValueError, match="`minimum` must.*minimum=-0.1"):
        LengthRatio(-0.1)
    with pytest.raises(ValueError, match="`maximum` must.*least 2.0.*=1.0"):
        LengthRatio(2.0, maximum=1.0)
