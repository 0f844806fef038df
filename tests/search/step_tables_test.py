"""Two hundred random tables of four symbols, enumerated."""

import itertools

import numpy as np
import pytest
from keras import ops

from keras_seq2seq.search import BeamSearch
from keras_seq2seq.testing import assert_same_hypotheses
from keras_seq2seq.testing.checks import to_numpy
from tests.helpers.brute_force import best_of

SPECIAL = {"start_token_id": 1, "end_token_id": 2, "pad_token_id": 0}
ROWS, LENGTH, SYMBOLS = 200, 3, (3, 4, 5)  # and the end
PREFIXES = 1 + 3 + 9
RNG = np.random.default_rng(0)
# The prefixes are a tree: after number p, the symbols lead to 3 p + 1, 2, 3.
TABLES = RNG.normal(0, 1.5, (ROWS, PREFIXES, 6)).astype("float32")
SOURCES = RNG.integers(0, 5, ROWS).astype("int32")


def step(token_ids, states, cache, index):
    """States are the row of the table, and the number of the prefix."""
    row, number = states[:, 0], states[:, 1]
    after = 3 * number + 1 + ops.cast(token_ids - 3, "float32")
    number = ops.where(index > 0, after, number)
    place = ops.cast(row * PREFIXES + number, "int32")
    # Empty beams hold any token.
    place = ops.clip(place, 0, ROWS * PREFIXES - 1)
    logits = ops.take(ops.array(TABLES.reshape(-1, 6)), place, axis=0)
    return logits, ops.stack([row, number], axis=1), cache, None


def enumerated():
    logits = TABLES.astype("float64")
    log_probs = logits - np.log(np.exp(logits).sum(-1, keepdims=True))
    finished = [{} for _ in range(ROWS)]
    for length in range(1, LENGTH + 1):
        for before in itertools.product(SYMBOLS, repeat=length - 1):
            total, number = 0.0, 0
            for token in before:
                total = total + log_probs[:, number, token]
                number = 3 * number + 1 + token - 3
            for token in (2, *SYMBOLS) if length == LENGTH else (2,):
                scores = total + log_probs[:, number, token]
                for row in range(ROWS):
                    finished[row][(*before, token)] = scores[row]
    return finished


FINISHED = enumerated()


def decode(n_best, penalty):
    states = np.stack([np.arange(ROWS), np.zeros(ROWS)], axis=1)
    search = BeamSearch(
        PREFIXES, max_length=LENGTH, n_best=n_best, length_penalty=penalty
    )
    return to_numpy(
        search(
            step,
            ops.array(states, "float32"),
            inputs={"source_lengths": SOURCES},
            **SPECIAL,
        )
    )


@pytest.mark.parametrize("penalty", ["none", "avg", "wu", "brevity"])
def test_against_enumeration(penalty, monkeypatch):
    for n_best in (2, PREFIXES):
        expected = best_of(FINISHED, LENGTH, n_best, penalty, sources=SOURCES)
        assert_same_hypotheses(decode(n_best, penalty), expected)
    monkeypatch.setattr(
        BeamSearch,
        "_is_over",
        lambda self, live, *args: live["scores"][:, 0] > 0,
    )
    expected = best_of(FINISHED, LENGTH, 2, penalty, sources=SOURCES)
    assert_same_hypotheses(decode(2, penalty), expected, "without stopping")
