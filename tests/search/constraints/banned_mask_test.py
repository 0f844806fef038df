import numpy as np
import pytest

from keras_seq2seq.search import BeamSearch
from keras_seq2seq.search.constraints import BannedMask
from keras_seq2seq.testing import run_constraint_test
from tests.helpers.enumeration import LANGUAGE
from tests.helpers.enumeration import ROWS
from tests.helpers.enumeration import SPECIAL
from tests.helpers.enumeration import STATES
from tests.helpers.enumeration import check_bans

MASK = np.random.default_rng(0).random((ROWS, 5)) < 0.4


def test_battery():
    mask = np.random.default_rng(1).random((6, 7)) < 0.3
    run_constraint_test(BannedMask(), {"banned_mask": mask})


@pytest.mark.parametrize("dtype", ["bool", "int32"])
def test_against_enumeration(dtype):
    check_bans(
        "banned_mask",
        lambda row, before, token: not MASK[row, token],
        {"banned_mask": MASK.astype(dtype)},
    )


@pytest.mark.parametrize("shape", [(ROWS,), (ROWS, 4)])
def test_errors(shape):
    search = BeamSearch(3, constraints=["banned_mask"])
    with pytest.raises(ValueError, match="`banned_mask` must.*Received"):
        inputs = {"banned_mask": np.zeros(shape, "bool")}
        search(LANGUAGE.step, STATES, inputs=inputs, **SPECIAL)
