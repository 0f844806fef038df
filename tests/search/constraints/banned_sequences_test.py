import pytest

from keras_seq2seq.search import GreedySearch
from keras_seq2seq.search.constraints import BannedSequences
from keras_seq2seq.testing import run_constraint_test
from tests.helpers.enumeration import LANGUAGE
from tests.helpers.enumeration import SPECIAL
from tests.helpers.enumeration import STATES
from tests.helpers.enumeration import check_bans


def test_battery():
    run_constraint_test(BannedSequences([[3, 4], [5], [6, 6, 2]]))


@pytest.mark.parametrize(
    "sequences",
    [[[3]], [[3, 4]], [[4, 4, 4], [3, 3], [3, 4, 2]], [[3, 4, 3, 4, 3], [2]]],
)
def test_against_enumeration(sequences):
    def allowed(row, before, token):
        tokens = [*before, token]
        return not any(tokens[-len(s) :] == s for s in sequences)

    check_bans(BannedSequences(sequences), allowed)


def test_errors():
    with pytest.raises(ValueError, match="`sequences`.*lengths \\[\\]"):
        BannedSequences([])
    with pytest.raises(ValueError, match="`sequences`.*lengths \\[1, 0\\]"):
        BannedSequences([[3], []])
    with pytest.raises(TypeError, match="`sequences` must be a list of lists"):
        BannedSequences("ab")
    search = GreedySearch(constraints=[BannedSequences([[3, 7]])])
    with pytest.raises(ValueError, match="`sequences`.*size, 5.*with 7"):
        search(LANGUAGE.step, STATES, **SPECIAL)
