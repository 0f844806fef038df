import numpy as np
import pytest

from keras_seq2seq.search import GreedySearch
from keras_seq2seq.testing import FakeLanguage
from keras_seq2seq.testing import assert_same_hypotheses
from keras_seq2seq.testing import run_search_test
from keras_seq2seq.testing.checks import to_numpy

SPECIAL = {"start_token_id": 1, "end_token_id": 2, "pad_token_id": 0}
ROWS, LENGTH = 30, 6
LANGUAGE = FakeLanguage(6)
STATES = LANGUAGE.first_states(ROWS)


def numpy_greedy(min_length=0):
    """One row and one token at a time."""
    shape = (ROWS, 1)
    token_ids = np.zeros((*shape, LENGTH), "int32")
    lengths, scores = np.zeros(shape, "int32"), np.zeros(shape, "float32")
    for row in range(ROWS):
        prefix = [1]
        for t in range(LENGTH):
            prefixes = np.tile([[prefix]], (ROWS, 1, 1))
            log_probs = LANGUAGE.log_probs(STATES, prefixes)[row, 0]
            allowed = [3, 4, 5] + [2] * (t + 1 >= min_length)
            token = max(allowed, key=lambda i: log_probs[i])
            prefix.append(token)
            scores[row, 0] += log_probs[token]
            if token == 2:
                break
        lengths[row] = len(prefix) - 1
        token_ids[row, 0, : lengths[row, 0]] = prefix[1:]
    return {"token_ids": token_ids, "lengths": lengths, "scores": scores}


def test_battery():
    run_search_test(GreedySearch())


@pytest.mark.parametrize("min_length", [0, 4])
def test_against_numpy(min_length):
    search = GreedySearch(LENGTH, min_length=min_length)
    found = to_numpy(search(LANGUAGE.step, STATES, **SPECIAL))
    assert_same_hypotheses(found, numpy_greedy(min_length))


def test_max_length_one():
    found = to_numpy(GreedySearch(1)(LANGUAGE.step, STATES, **SPECIAL))
    assert found["token_ids"].shape == (ROWS, 1, 1)
    expected = numpy_greedy()["token_ids"][:, :, :1]
    np.testing.assert_array_equal(found["token_ids"], expected)


def test_errors():
    with pytest.raises(ValueError, match="`max_length`.*max_length=0"):
        GreedySearch(0)
    with pytest.raises(ValueError, match="`min_length` must not exceed"):
        GreedySearch(3, min_length=4)
