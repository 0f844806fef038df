import keras
import numpy as np
import pytest
from keras import ops

from keras_seq2seq.search import BeamSearch
from keras_seq2seq.search import GreedySearch
from keras_seq2seq.search.penalties import WuPenalty
from keras_seq2seq.testing import FakeLanguage
from keras_seq2seq.testing import assert_same_hypotheses
from keras_seq2seq.testing import run_search_test
from keras_seq2seq.testing.checks import to_numpy
from tests.helpers.brute_force import all_hypotheses
from tests.helpers.brute_force import best_of

SPECIAL = {"start_token_id": 1, "end_token_id": 2, "pad_token_id": 0}
ROWS, LENGTH = 40, 4
# Real symbols 3 and 4: 1 + 2 + 4 + 8 prefixes, 31 hypotheses.
LANGUAGE = FakeLanguage(5)
STATES = LANGUAGE.first_states(ROWS)
FINISHED = all_hypotheses(LANGUAGE, STATES, (3, 4), LENGTH)
PREFIXES = 15


LATE = {
    (): {2: 0.5, 3: 0.5},
    (3,): {3: 0.9, 2: 0.1},
    (3, 3): {2: 0.9, 3: 0.1},
}


def decode(search, language=LANGUAGE, states=STATES):
    return to_numpy(search(language.step, states, **SPECIAL))


def fixed_step(table):
    """Step function of a table `prefix -> {token: probability}`.

    A state holds the number of the prefix among the keys of the table.
    """
    prefixes = list(table)
    probabilities = np.full((len(prefixes), 8), 1e-30, "float32")
    after = np.zeros((len(prefixes), 8), "float32")
    for number, (prefix, row) in enumerate(table.items()):
        for token, probability in row.items():
            probabilities[number, token] = probability
            longer = (*prefix, token)
            if longer in table:
                after[number, token] = prefixes.index(longer)

    def step(token_ids, states, cache, index):
        number = ops.cast(states[:, 0], "int32")
        moved = ops.take(ops.ravel(after), number * 8 + token_ids)
        number = ops.where(index > 0, ops.cast(moved, "int32"), number)
        logits = ops.log(ops.take(ops.array(probabilities), number, axis=0))
        return logits, ops.cast(number[:, None], "float32"), cache, None

    return step


def test_battery():
    run_search_test(BeamSearch(num_beams=4, n_best=3))
    run_search_test(BeamSearch(length_penalty="wu", n_best=2, min_length=3))
    run_search_test(
        BeamSearch(length_penalty="brevity", patience=1.0, n_best=5),
        {"source_lengths": np.arange(6)},
    )


@pytest.mark.parametrize("min_length", [0, 3])
def test_full_width_is_enumeration(min_length):
    search = BeamSearch(
        PREFIXES,
        max_length=LENGTH,
        min_length=min_length,
        length_penalty="wu",
        n_best=PREFIXES,
    )
    expected = best_of(FINISHED, LENGTH, PREFIXES, "wu", min_length)
    assert_same_hypotheses(decode(search), expected)


def test_the_best_finished_hypothesis_is_frozen():
    # [end] has 0.55. The live beams go on with 0.45 and end with 0.45 * 0.99:
    # a search that goes on to score [end] would lose it.
    table = {
        (): {2: 0.55, 3: 0.25, 4: 0.2},
        (3,): {3: 1.0},
        (4,): {4: 1.0},
        (3, 3): {2: 0.99, 3: 0.01},
        (4, 4): {2: 1.0},
    }
    search = BeamSearch(2, max_length=5, n_best=2)
    found = to_numpy(search(fixed_step(table), ops.zeros((3, 1)), **SPECIAL))
    for row in range(3):
        assert found["token_ids"][row].tolist() == [
            [2, 0, 0, 0, 0],
            [3, 3, 2, 0, 0],
        ]
        np.testing.assert_allclose(
            found["scores"][row], np.log([0.55, 0.25 * 0.99]), rtol=1e-5
        )


def test_a_longer_hypothesis_wins_under_a_penalty():
    # log 0.5 / 1 = -0.69 against (log 0.5 + 2 log 0.9) / 3 = -0.30
    search = BeamSearch(2, max_length=4, length_penalty="avg")
    found = to_numpy(search(fixed_step(LATE), ops.zeros((1, 1)), **SPECIAL))
    assert found["token_ids"].tolist() == [[[3, 3, 2, 0]]]
    score = (np.log(0.5) + 2 * np.log(0.9)) / 3
    np.testing.assert_allclose(found["scores"], [[score]], rtol=1e-5)


@pytest.mark.parametrize("penalty", ["none", "wu"])
def test_stopping_loses_nothing(penalty, monkeypatch):
    language = FakeLanguage(7, seed=1)
    states = language.first_states(ROWS)
    settings = {"max_length": 8, "length_penalty": penalty}
    searches = [
        BeamSearch(n_best=1, **settings),
        BeamSearch(n_best=5, **settings),
    ]
    top, all_five = (decode(s, language, states) for s in searches)
    first = {name: x[:, :1] for name, x in all_five.items()}
    assert_same_hypotheses(top, first, "n_best=1 is the top of n_best=5")
    monkeypatch.setattr(
        BeamSearch,
        "_is_over",
        lambda self, live, *args: ops.zeros_like(
            live["scores"][:, 0], dtype="bool"
        ),
    )
    for search, found in zip(searches, (top, all_five)):
        to_the_end = decode(search, language, states)
        assert_same_hypotheses(found, to_the_end, "without stopping")


@pytest.mark.parametrize("alpha", [-1.0, 0.0, 3.0])
def test_stopping_for_any_alpha(alpha, monkeypatch):
    search = BeamSearch(
        4, max_length=6, length_penalty=WuPenalty(alpha), n_best=2
    )
    found = decode(search)
    monkeypatch.setattr(
        BeamSearch,
        "_is_over",
        lambda self, live, *args: live["scores"][:, 0] > 0,
    )
    assert_same_hypotheses(found, decode(search), "without stopping")


@pytest.mark.parametrize(
    "patience, expected",
    [(None, [3, 3, 2, 0]), (0.5, [2, 0, 0, 0]), (9.0, [3, 3, 2, 0])],
)
def test_patience(patience, expected):
    # 0.5 * 2 beams: the first that ends is all that is waited for.
    search = BeamSearch(
        2, max_length=4, length_penalty="avg", patience=patience
    )
    found = to_numpy(search(fixed_step(LATE), ops.zeros((2, 1)), **SPECIAL))
    assert found["token_ids"].tolist() == [[expected]] * 2


def test_stops_early():
    steps = []

    def step(token_ids, states, cache, index):
        steps.append(index)
        end = ops.one_hot(ops.full_like(token_ids, 2), 5)
        return 30.0 * end, states, cache, None

    search = BeamSearch(2, max_length=500)
    found = to_numpy(search(step, ops.zeros((2, 1)), **SPECIAL))
    assert found["lengths"].tolist() == [[1], [1]]
    assert len(steps) < 5  # eager backends count steps, the others traces


@pytest.mark.parametrize("min_length", [0, 3])
def test_width_one_is_greedy(min_length):
    settings = {"max_length": LENGTH, "min_length": min_length}
    greedy = decode(GreedySearch(**settings))
    assert_same_hypotheses(decode(BeamSearch(1, **settings)), greedy)


def test_wider_than_the_vocabulary():
    search = BeamSearch(50, max_length=2, n_best=50)
    found = decode(search)
    finished = all_hypotheses(LANGUAGE, STATES, (3, 4), 2)
    assert_same_hypotheses(found, best_of(finished, 2, 50))
    # 1 + 2 * 3 hypotheses exist; the places after them are empty.
    assert np.all((found["lengths"] > 0).sum(axis=1) == 7)
    assert np.all(found["scores"][:, 7:] == np.float32(-1e9))
    assert not found["token_ids"][:, 7:].any()


def test_max_length_one():
    search = BeamSearch(3, max_length=1, n_best=3)
    finished = all_hypotheses(LANGUAGE, STATES, (3, 4), 1)
    assert_same_hypotheses(decode(search), best_of(finished, 1, 3))


def test_min_length_of_max_length_ends_nothing_early():
    search = BeamSearch(8, max_length=3, min_length=3, n_best=4)
    assert np.all(decode(search)["lengths"] == 3)


def test_other_special_ids():
    # Start is the end token, and padding is the last id: a permutation.
    language = FakeLanguage(5)
    found = to_numpy(
        BeamSearch(PREFIXES, max_length=LENGTH)(
            language.step,
            STATES,
            start_token_id=2,
            end_token_id=2,
            pad_token_id=4,
        )
    )
    finished = all_hypotheses(language, STATES, (0, 1, 3), LENGTH, start=2)
    expected = best_of(finished, LENGTH, 1)
    np.testing.assert_allclose(
        found["scores"], expected["scores"], rtol=1e-5, atol=1e-5
    )
    for row, length in zip(found["token_ids"][:, 0], found["lengths"][:, 0]):
        assert np.all(row[length:] == 4)
        assert not np.any(row[:length] == 4)


def test_half_precision_logits_and_states():
    def step(token_ids, states, cache, index):
        logits, *rest = LANGUAGE.step(token_ids, states, cache, index)
        return ops.cast(logits, "float16"), *rest

    half = ops.cast(STATES["hidden"], "float16")
    states = {**STATES, "hidden": half}
    found = to_numpy(BeamSearch(3, max_length=4)(step, states, **SPECIAL))
    assert found["scores"].dtype == "float32"
    assert np.all(np.isfinite(found["scores"]))


def test_forbidden_tokens_are_never_chosen():
    # Only token 3 is possible after the start, then only the end.
    low = -np.inf
    table = np.full((2, 5), low, "float32")
    table[0, 3] = table[1, 2] = 0.0

    def step(token_ids, states, cache, index):
        row = ops.take(ops.array(table), ops.minimum(index, 1), axis=0)
        logits = ops.zeros((ops.shape(token_ids)[0], 1)) + row
        return logits, states, cache, None

    search = BeamSearch(3, max_length=4, n_best=3)
    found = to_numpy(search(step, ops.zeros((2, 1)), **SPECIAL))
    assert found["token_ids"][:, 0].tolist() == [[3, 2, 0, 0]] * 2
    assert found["lengths"].tolist() == [[2, 0, 0]] * 2
    np.testing.assert_allclose(found["scores"][:, 0], 0.0, atol=1e-6)


@pytest.mark.parametrize(
    "argument, value",
    [
        ("num_beams", 0),
        ("num_beams", 2.0),
        ("max_length", 0),
        ("min_length", -1),
        ("n_best", 0),
        ("n_best", 6),
        ("length_penalty", "google"),
        ("coverage_penalty", "google"),
        ("coverage_penalty", ""),
        ("patience", 0),
        ("patience", float("inf")),
        ("min_length", 101),
    ],
)
def test_errors(argument, value):
    message = f"`{argument}` must .*Received: .*{argument}={value!r}"
    with pytest.raises(ValueError, match=message):
        BeamSearch(**{argument: value})


def test_replace():
    search = BeamSearch(3, max_length=7, length_penalty="avg")
    other = search.replace(n_best=2)
    assert other is not search and search.n_best == 1
    expected = {**search.get_config(), "n_best": 2}
    assert other.get_config() == expected


def test_states_keep_their_structure_and_dtype():
    seen = []

    def step(token_ids, states, cache, index):
        seen.append(states)
        return LANGUAGE.step(token_ids, states, cache, index)

    decode(BeamSearch(3, max_length=3), states=STATES)
    BeamSearch(3, max_length=3)(step, STATES, **SPECIAL)
    for states in seen:
        keras.tree.assert_same_structure(states, STATES)
        assert tuple(states["hidden"].shape) == (ROWS * 3, 6)
