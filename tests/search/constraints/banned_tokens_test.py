import numpy as np
import pytest

from keras_seq2seq.search import BeamSearch
from keras_seq2seq.search import GreedySearch
from keras_seq2seq.search.constraints import BannedTokens
from keras_seq2seq.testing import run_constraint_test
from keras_seq2seq.testing.checks import to_numpy
from tests.helpers.enumeration import LANGUAGE
from tests.helpers.enumeration import SPECIAL
from tests.helpers.enumeration import STATES
from tests.helpers.enumeration import check_bans


def test_battery():
    run_constraint_test(BannedTokens([4, 5]))


@pytest.mark.parametrize("banned", [[], [3], [2], [2, 3]])
def test_against_enumeration(banned):
    check_bans(
        BannedTokens(banned), lambda row, before, token: token not in banned
    )


@pytest.mark.parametrize(
    "search", [GreedySearch(4), BeamSearch(3, n_best=2, max_length=4)]
)
def test_all_banned(search):
    steps = []

    def step(token_ids, states, cache, index):
        steps.append(index)
        return LANGUAGE.step(token_ids, states, cache, index)

    search = search.replace(constraints=[BannedTokens([2, 3, 4])])
    found = to_numpy(search(step, STATES, return_log_probs=True, **SPECIAL))
    assert len(steps) < 4  # eager backends count steps, the others traces
    assert not found["token_ids"].any() and not found["lengths"].any()
    assert (found["scores"] == np.float32(-1e9)).all()
    assert not found["log_probs"].any()


def test_errors():
    with pytest.raises(ValueError, match=r"`token_ids\[1\]`.*=-1"):
        BannedTokens([3, -1])
    with pytest.raises(TypeError, match="`token_ids` must be a list"):
        BannedTokens(3)
    search = GreedySearch(constraints=[BannedTokens([5])])
    with pytest.raises(ValueError, match="`token_ids`.*size, 5.*with 5"):
        search(LANGUAGE.step, STATES, **SPECIAL)
