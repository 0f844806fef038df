import numpy as np
import pytest

from keras_seq2seq.search import BeamSearch
from keras_seq2seq.search.constraints import BannedTokens
from keras_seq2seq.search.constraints import ForcedPrefix
from keras_seq2seq.testing import run_constraint_test
from keras_seq2seq.testing.checks import to_numpy
from tests.helpers.enumeration import LANGUAGE
from tests.helpers.enumeration import ROWS
from tests.helpers.enumeration import SPECIAL
from tests.helpers.enumeration import STATES
from tests.helpers.enumeration import check_bans

RNG = np.random.default_rng(0)
LENGTHS = np.arange(ROWS) % 5
PREFIX = np.where(
    np.arange(4) < LENGTHS[:, None], RNG.integers(3, 5, (ROWS, 4)), 0
).astype("int32")


def allowed(row, before, token):
    forced = PREFIX[row, len(before)]
    return forced in (0, token)


def test_battery():
    run_constraint_test(ForcedPrefix(), {"prefix": PREFIX[:6]})


def test_against_enumeration():
    check_bans("forced_prefix", allowed, {"prefix": PREFIX})


def test_a_prefix_shorter_than_max_length():
    check_bans(
        "forced_prefix",
        lambda row, before, token: (
            len(before) >= 2 or allowed(row, before, token)
        ),
        {"prefix": PREFIX[:, :2]},
    )


def test_no_prefix():
    for length in (0, 1):
        prefix = np.zeros((ROWS, length), "int32")
        check_bans("forced_prefix", lambda *args: True, {"prefix": prefix})


def test_a_prefix_that_ends():
    prefix = np.tile([[3, 2, 0]], (ROWS, 1)).astype("int32")
    search = BeamSearch(
        3, n_best=3, max_length=4, constraints=["forced_prefix"]
    )
    found = to_numpy(
        search(LANGUAGE.step, STATES, inputs={"prefix": prefix}, **SPECIAL)
    )
    assert found["token_ids"][:, 0].tolist() == [[3, 2, 0, 0]] * ROWS
    assert not found["lengths"][:, 1:].any()


@pytest.mark.parametrize("token", [1, 3, 9])
def test_a_prefix_that_cannot_be(token):
    # The start token; a token banned otherwise; an id that is none.
    prefix = np.where(np.arange(ROWS) % 2, token, 0).astype("int32")[:, None]
    for search in (
        BeamSearch(3, n_best=2, max_length=4),
        BeamSearch(1, max_length=4),
    ):
        search = search.replace(
            constraints=["forced_prefix", BannedTokens([3])]
        )
        found = to_numpy(
            search(LANGUAGE.step, STATES, inputs={"prefix": prefix}, **SPECIAL)
        )
        assert not found["lengths"][1::2].any()
        assert not found["token_ids"][1::2].any()
        assert (found["scores"][1::2] == np.float32(-1e9)).all()
        assert found["lengths"][::2, 0].all()


def test_errors():
    search = BeamSearch(3, max_length=4, constraints=["forced_prefix"])
    with pytest.raises(ValueError, match="needs the inputs.*'prefix'.*Add"):
        search(LANGUAGE.step, STATES, **SPECIAL)
    for shape in ((ROWS, 5), (ROWS,)):
        with pytest.raises(ValueError, match="`prefix`.*max_length=4.*shape"):
            inputs = {"prefix": np.zeros(shape, "int32")}
            search(LANGUAGE.step, STATES, inputs=inputs, **SPECIAL)
    with pytest.raises(ValueError, match="`prefix`.*row a source.*shape"):
        inputs = {"prefix": np.zeros((ROWS + 1, 2), "int32")}
        search(LANGUAGE.step, STATES, inputs=inputs, **SPECIAL)
