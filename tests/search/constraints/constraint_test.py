"""Constraints together."""

import pytest

from keras_seq2seq.search import BeamSearch
from keras_seq2seq.search import GreedySearch
from keras_seq2seq.search.constraints import BannedTokens
from keras_seq2seq.search.constraints import Constraint
from keras_seq2seq.search.constraints import LengthRatio
from keras_seq2seq.search.constraints import NoRepeatNgram
from keras_seq2seq.testing import assert_same_hypotheses
from keras_seq2seq.testing import run_search_test
from keras_seq2seq.testing.checks import to_numpy
from tests.helpers.brute_force import best_of
from tests.helpers.enumeration import LANGUAGE
from tests.helpers.enumeration import LENGTH
from tests.helpers.enumeration import PREFIXES
from tests.helpers.enumeration import SPECIAL
from tests.helpers.enumeration import STATES
from tests.helpers.enumeration import allowed_ones


def test_bans_intersect_in_any_order():
    def allowed(row, before, token):
        tokens = (*before, token)
        pairs = list(zip(tokens, tokens[1:]))
        return len(set(pairs)) == len(pairs) and tokens != (4,)

    expected = best_of(allowed_ones(allowed), LENGTH, PREFIXES)
    constraints = [NoRepeatNgram(2), FirstIsNot4()]
    for order in (constraints, constraints[::-1]):
        search = BeamSearch(
            PREFIXES, n_best=PREFIXES, max_length=LENGTH, constraints=order
        )
        found = search(LANGUAGE.step, STATES, **SPECIAL)
        assert_same_hypotheses(to_numpy(found), expected)


class FirstIsNot4(BannedTokens):
    """A constraint from elsewhere."""

    def __init__(self):
        super().__init__([4])

    def __call__(self, log_probs, state, context):
        from keras import ops

        banned = super().__call__(log_probs, state, context)
        return ops.where(context.index == 0, banned, log_probs)


def test_config_of_a_search():
    search = BeamSearch(
        constraints=["forced_prefix", LengthRatio(0.5), NoRepeatNgram(4)]
    )
    assert search.input_names == ("prefix", "source_lengths")
    again = BeamSearch.from_config(search.get_config())
    assert again.constraints[2].ngram_size == 4
    assert again.get_config() == search.get_config()
    plain = search.replace(constraints=[])
    run_search_test(plain)


def test_errors():
    with pytest.raises(TypeError, match="`constraints` must be a list.*str"):
        BeamSearch(constraints="forced_prefix")
    with pytest.raises(ValueError, match=r"`constraints\[1\]`.*forced_prefix"):
        BeamSearch(constraints=["forced_prefix", "free_prefix"])


class Only(Constraint):
    """A user's, without the config that it needs."""

    def __init__(self, token_id):
        self.token_id = token_id


def test_a_config_has_every_argument():
    search = GreedySearch(constraints=[Only(4)])
    with pytest.raises(NotImplementedError, match=r"Only.*\['token_id'\]"):
        search.get_config()
