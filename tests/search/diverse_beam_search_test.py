import collections

import numpy as np
import pytest

from keras_seq2seq.search import BeamSearch
from keras_seq2seq.search import DiverseBeamSearch
from keras_seq2seq.testing import FakeLanguage
from keras_seq2seq.testing import assert_same_hypotheses
from keras_seq2seq.testing import run_search_test
from keras_seq2seq.testing.checks import to_numpy
from tests.helpers.brute_force import best_of

SPECIAL = {"start_token_id": 1, "end_token_id": 2, "pad_token_id": 0}
ROWS, LENGTH, N_BEST = 12, 5, 6
LANGUAGE = FakeLanguage(7)
STATES = LANGUAGE.first_states(ROWS)


def in_python(row, num_groups, strength):
    """One group, one beam and one token at a time."""
    size = N_BEST // num_groups
    live, finished = [[((), 0.0)] for _ in range(num_groups)], {}
    for length in range(1, LENGTH + 1):
        taken = collections.Counter()
        for group in range(num_groups):
            candidates = []
            for before, total in live[group]:
                prefixes = np.tile([[[1, *before]]], (ROWS, 1, 1))
                log_probs = LANGUAGE.log_probs(STATES, prefixes)[row, 0]
                for token in range(2, 7):
                    score = total + log_probs[token]
                    liked = score - strength * taken[token]
                    candidates.append((liked, score, (*before, token)))
            candidates.sort(reverse=True)
            ends = [t[-1] == 2 or length == LENGTH for *_, t in candidates]
            for (_, score, tokens), end in list(zip(candidates, ends))[:size]:
                if end:
                    finished[tokens] = score
            live[group] = [
                (tokens, score)
                for (_, score, tokens), end in zip(candidates, ends)
                if not end
            ][:size]
            taken.update(tokens[-1] for tokens, _ in live[group])
    return finished


def decode(search):
    return to_numpy(search(LANGUAGE.step, STATES, **SPECIAL))


def test_battery():
    run_search_test(
        DiverseBeamSearch(
            4, num_groups=2, n_best=4, length_penalty="avg", patience=2.0
        )
    )


@pytest.mark.parametrize("num_groups, strength", [(2, 0.7), (3, 0.0), (6, 2.0)])
def test_against_python(num_groups, strength):
    search = DiverseBeamSearch(
        N_BEST,
        num_groups=num_groups,
        diversity_strength=strength,
        max_length=LENGTH,
        n_best=N_BEST,
    )
    every = [in_python(row, num_groups, strength) for row in range(ROWS)]
    expected = best_of(every, LENGTH, N_BEST)
    found = decode(search)
    assert_same_hypotheses(found, expected)
    for rows, lengths in zip(found["token_ids"], found["lengths"]):
        real = [tuple(row) for row, n in zip(rows, lengths) if n]
        assert len(set(real)) == len(real)


def test_one_group_is_beam_search():
    settings = {"max_length": LENGTH, "n_best": 4, "length_penalty": "wu"}
    found = decode(DiverseBeamSearch(4, num_groups=1, **settings))
    assert_same_hypotheses(found, decode(BeamSearch(4, **settings)))


def test_strength_makes_first_tokens_differ():
    search = DiverseBeamSearch(
        3, num_groups=3, diversity_strength=1e3, max_length=2, n_best=3
    )
    first = decode(search)["token_ids"][..., 0]
    assert all(len(set(row)) == 3 for row in first.tolist())


def test_errors():
    with pytest.raises(ValueError, match="`num_beams`.*num_groups=4"):
        DiverseBeamSearch(6, num_groups=4)
    with pytest.raises(ValueError, match="`num_groups`.*num_groups=0"):
        DiverseBeamSearch(6, num_groups=0)
    with pytest.raises(ValueError, match="`diversity_strength`.*=-1"):
        DiverseBeamSearch(6, diversity_strength=-1)
    with pytest.raises(ValueError, match="`n_best`"):
        DiverseBeamSearch(6, n_best=7)
