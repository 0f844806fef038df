"""Constraints against the enumeration of all hypotheses, in NumPy."""

import numpy as np

from keras_seq2seq.search import BeamSearch
from keras_seq2seq.search import DiverseBeamSearch
from keras_seq2seq.search import GreedySearch
from keras_seq2seq.testing import FakeLanguage
from keras_seq2seq.testing import assert_same_hypotheses
from keras_seq2seq.testing.checks import to_numpy
from tests.helpers.brute_force import all_hypotheses
from tests.helpers.brute_force import best_of

SPECIAL = {"start_token_id": 1, "end_token_id": 2, "pad_token_id": 0}
ROWS, LENGTH, PREFIXES = 20, 4, 15
LANGUAGE = FakeLanguage(5)  # real symbols 3 and 4: 31 hypotheses
STATES = LANGUAGE.first_states(ROWS)
ALL = all_hypotheses(LANGUAGE, STATES, (3, 4), LENGTH)


def anywhere(row, tokens):
    return True


def allowed_ones(allowed, may_stop=anywhere):
    """Of all hypotheses, those of which each step is allowed.

    Args:
        allowed: Function of the row, the tokens before and the token.
        may_stop: Function of the row and the tokens of a hypothesis without
            an end: whether it may be cut there.
    """
    return [
        {
            tokens: score
            for tokens, score in ALL[row].items()
            if all(
                allowed(row, tokens[:place], token)
                for place, token in enumerate(tokens)
            )
            and (tokens[-1] == 2 or may_stop(row, tokens))
        }
        for row in range(ROWS)
    ]


def greedy(allowed, may_stop=anywhere):
    """One row and one token at a time; nothing where nothing is allowed."""
    hypotheses = []
    for row in range(ROWS):
        prefix, total = (), 0.0
        while len(prefix) < LENGTH and 2 not in prefix:
            prefixes = np.tile([[[1, *prefix]]], (ROWS, 1, 1))
            log_probs = LANGUAGE.log_probs(STATES, prefixes)[row, 0]
            tokens = [t for t in (2, 3, 4) if allowed(row, prefix, t)]
            if not tokens:
                prefix = ()
                break
            token = max(tokens, key=lambda t: log_probs[t])
            prefix, total = (*prefix, token), total + log_probs[token]
        finished = prefix and (prefix[-1] == 2 or may_stop(row, prefix))
        hypotheses.append({prefix: total} if finished else {})
    return best_of(hypotheses, LENGTH, 1)


def check_bans(constraint, allowed, inputs=None, may_stop=anywhere):
    """Beams of full width find all that is allowed, in order.

    Greedy search, whose only path may come to nothing, finds that.
    """
    sizes = {
        "max_length": LENGTH,
        "n_best": PREFIXES,
        "constraints": [constraint],
    }
    all_allowed = best_of(allowed_ones(allowed, may_stop), LENGTH, PREFIXES)
    one_group = {"num_groups": 1, "diversity_strength": 0.0}
    for search, expected in (
        (BeamSearch(PREFIXES, **sizes), all_allowed),
        (DiverseBeamSearch(PREFIXES, **one_group, **sizes), all_allowed),
        (
            GreedySearch(LENGTH, constraints=[constraint]),
            greedy(allowed, may_stop),
        ),
    ):
        found = search(LANGUAGE.step, STATES, inputs=inputs, **SPECIAL)
        assert_same_hypotheses(to_numpy(found), expected)
