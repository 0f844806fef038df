import pytest

from keras_seq2seq.search import BeamSearch
from keras_seq2seq.search.constraints import BannedTokens
from keras_seq2seq.search.constraints import RepetitionPenalty
from keras_seq2seq.testing import assert_same_hypotheses
from keras_seq2seq.testing import run_constraint_test
from keras_seq2seq.testing.checks import to_numpy
from tests.helpers.brute_force import all_hypotheses
from tests.helpers.brute_force import best_of
from tests.helpers.enumeration import LANGUAGE
from tests.helpers.enumeration import LENGTH
from tests.helpers.enumeration import PREFIXES
from tests.helpers.enumeration import SPECIAL
from tests.helpers.enumeration import STATES


class Penalized:
    """The language, with the log-probabilities of seen tokens multiplied."""

    def __init__(self, penalty):
        self.penalty = penalty

    def log_probs(self, states, prefixes):
        log_probs = LANGUAGE.log_probs(states, prefixes)
        for token in set(prefixes[0, 0, 1:].tolist()):
            log_probs[..., token] *= self.penalty
        return log_probs


def found_with(constraints, **settings):
    search = BeamSearch(
        PREFIXES, max_length=LENGTH, constraints=constraints, **settings
    )
    return to_numpy(search(LANGUAGE.step, STATES, **SPECIAL))


@pytest.mark.parametrize("penalty", [0.3, 1.0, 2.5])
@pytest.mark.parametrize("n_best", [1, PREFIXES])
def test_against_enumeration(penalty, n_best):
    found = found_with([RepetitionPenalty(penalty)], n_best=n_best)
    every = all_hypotheses(Penalized(penalty), STATES, (3, 4), LENGTH)
    assert_same_hypotheses(found, best_of(every, LENGTH, n_best))


def test_what_is_banned_stays_banned():
    constraints = [BannedTokens([3]), RepetitionPenalty(0.01)]
    for order in (constraints, constraints[::-1]):
        assert not (found_with(order, n_best=3)["token_ids"] == 3).any()


def test_battery():
    run_constraint_test(RepetitionPenalty(1.5), only_forbids=False)


@pytest.mark.parametrize("penalty", [0.0, -1.0, float("nan"), "2"])
def test_errors(penalty):
    with pytest.raises(ValueError, match="`penalty` must .*Received: penalty="):
        RepetitionPenalty(penalty)
