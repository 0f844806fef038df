import pytest

from keras_seq2seq.search.constraints import NoRepeatNgram
from keras_seq2seq.testing import run_constraint_test
from tests.helpers.enumeration import check_bans


def test_battery():
    run_constraint_test(NoRepeatNgram(2))


@pytest.mark.parametrize("size", [1, 2, 3, 5])
def test_against_enumeration(size):
    def allowed(row, before, token):
        tokens = (*before, token)
        grams = [tokens[i : i + size] for i in range(len(tokens) - size + 1)]
        return len(set(grams)) == len(grams)

    check_bans(NoRepeatNgram(size), allowed)


def test_errors():
    with pytest.raises(ValueError, match="`ngram_size`.*ngram_size=0"):
        NoRepeatNgram(0)
