import numpy as np
import pytest

from keras_seq2seq.search import BeamSearch
from keras_seq2seq.search import GreedySearch
from keras_seq2seq.search.constraints import AllowedSequences
from keras_seq2seq.testing import run_constraint_test
from keras_seq2seq.testing import run_search_test
from tests.helpers.enumeration import LANGUAGE
from tests.helpers.enumeration import SPECIAL
from tests.helpers.enumeration import STATES
from tests.helpers.enumeration import check_bans


def test_battery():
    sequences = [[3], [3, 4], [4, 5, 6, 3], [6, 6], []]
    run_constraint_test(AllowedSequences(sequences))


@pytest.mark.parametrize(
    "sequences",
    [
        [[3]],
        [[]],
        [[3, 4], [3], [3, 4]],
        [[], [4, 4, 4], [4, 3, 4], [3, 3]],
    ],
)
def test_against_enumeration(sequences):
    def allowed(row, before, token):
        if token == 2:
            return list(before) in sequences
        begin = [*before, token]
        return any(s[: len(begin)] == begin for s in sequences)

    check_bans(AllowedSequences(sequences), allowed)


def test_many_sequences():
    rng = np.random.default_rng(0)
    sequences = [
        rng.integers(3, 7, rng.integers(0, 5)).tolist() for _ in range(100)
    ]
    trie = AllowedSequences(sequences)
    run_search_test(BeamSearch(6, n_best=6, constraints=[trie]))
    assert trie.get_config()["sequences"] == sequences


def test_errors():
    with pytest.raises(ValueError, match="`sequences` must hold at least one"):
        AllowedSequences([])
    with pytest.raises(ValueError, match=r"`sequences\[0\]\[1\]`.*=-3"):
        AllowedSequences([[3, -3]])
    trie = AllowedSequences([[3, 3, 3]])
    with pytest.raises(ValueError, match="`max_length`.*max_length=3.*3 tok"):
        search = GreedySearch(3, constraints=[trie])
        search(LANGUAGE.step, STATES, **SPECIAL)
    with pytest.raises(ValueError, match="`sequences`.*size, 5.*with 6"):
        search = GreedySearch(constraints=[AllowedSequences([[6]])])
        search(LANGUAGE.step, STATES, **SPECIAL)
