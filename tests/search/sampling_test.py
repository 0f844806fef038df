import numpy as np
import pytest
from keras import ops

from keras_seq2seq.search import Sampling
from keras_seq2seq.search.constraints import BannedTokens
from keras_seq2seq.testing import FakeLanguage
from keras_seq2seq.testing import run_search_test
from keras_seq2seq.testing.checks import to_numpy
from tests.helpers.brute_force import all_hypotheses
from tests.helpers.numpy_hash import numpy_hash

SPECIAL = {"start_token_id": 1, "end_token_id": 2, "pad_token_id": 0}
P = np.array([0.0, 0.0, 0.05, 0.4, 0.25, 0.2, 0.1])
DRAWS = 4000


def first_tokens(search, p=P):
    """How often each token comes first, over many rows."""
    rows = DRAWS // search.num_samples
    logits = ops.log(ops.array(np.tile(p + 1e-12, (DRAWS, 1)), "float32"))
    found = search(
        lambda token_ids, states, cache, index: (logits, states, cache, None),
        ops.zeros((rows, 1)),
        inputs={"seed": np.arange(rows)},
        **SPECIAL,
    )
    tokens = to_numpy(found)["token_ids"][..., 0]
    return np.bincount(tokens.ravel(), minlength=len(p))


def assert_distributed(counts, expected):
    """Chi-square, at a level of one in a thousand."""
    expected = np.array(expected) / np.sum(expected) * counts.sum()
    assert not counts[expected == 0].any()
    real = expected > 0
    statistic = np.sum((counts - expected)[real] ** 2 / expected[real])
    limits = {1: 10.83, 2: 13.82, 3: 16.27, 4: 18.47}
    assert statistic < limits[real.sum() - 1]


@pytest.mark.parametrize(
    "settings, expected",
    [
        ({}, P),
        ({"num_samples": 8}, P),
        ({"temperature": 0.5}, P**2),
        ({"temperature": 3.0}, P ** (1 / 3)),
        ({"top_k": 2}, P * (P > 0.24)),
        ({"top_p": 0.8}, P * (P > 0.19)),
        ({"top_p": 0.65}, P * (P > 0.24)),  # .4 and .25 exactly
        ({"min_p": 0.5}, P * (P > 0.19)),  # .2 is half of .4
        ({"top_k": 4, "top_p": 0.6}, P * (P > 0.24)),
        ({"constraints": [BannedTokens([3])]}, P * (P < 0.3)),
        ({"min_length": 1, "constraints": [BannedTokens([2])]}, P * (P > 0.06)),
    ],
)
def test_distribution(settings, expected):
    counts = first_tokens(Sampling(max_length=1, **settings))
    assert_distributed(counts, expected)


def test_distribution_of_sequences():
    language = FakeLanguage(5)
    states = language.first_states(1)
    every = all_hypotheses(language, states, (3, 4), 2)[0]
    allowed = np.exp(list(every.values()))
    # Padding and the start are never drawn: a renormalized tree.
    weights = dict(zip(every, allowed))
    first = {
        t: sum(w for h, w in weights.items() if h[0] == t) for t in (2, 3, 4)
    }
    prefix = np.array([[[1]]])
    p = np.exp(language.log_probs(states, prefix)[0, 0])
    expected = {}
    for h, w in weights.items():
        share = p[h[0]] / p[2:].sum()
        expected[h] = share * (w / first[h[0]])
    repeated = {
        "hidden": ops.repeat(states["hidden"], DRAWS, axis=0),
        "counts": [ops.zeros((DRAWS, 1))],
    }
    found = to_numpy(
        Sampling(max_length=2)(
            language.step,
            repeated,
            inputs={"seed": np.arange(DRAWS)},
            **SPECIAL,
        )
    )
    drawn = [
        tuple(row[:n])
        for row, n in zip(found["token_ids"][:, 0], found["lengths"][:, 0])
    ]
    counts = np.array([drawn.count(h) for h in expected])
    mean = np.array(list(expected.values())) * DRAWS
    assert counts.sum() == DRAWS
    assert np.sum((counts - mean) ** 2 / mean) < 22.5  # 6 degrees, 1 in 1000


def test_battery():
    seeds = {"seed": np.array([3, 1, 4, 1, 5, 9])}
    run_search_test(Sampling(0.8, num_samples=3, min_length=2), seeds)
    run_search_test(Sampling(top_k=3, top_p=0.9, min_p=0.1), seeds)


def test_the_same_on_every_backend():
    """One token at a time in NumPy, from the definition of the hash."""
    language, rows = FakeLanguage(7), 5
    states, seeds = (
        language.first_states(rows),
        np.array([0, 7, -3, 7, 2**31 - 1]),
    )
    found = to_numpy(
        Sampling(1.5, num_samples=2, max_length=6)(
            language.step, states, inputs={"seed": seeds}, **SPECIAL
        )
    )
    for row in range(rows):
        paths = sorted(
            (
                numpy_sample(language, states, row, int(seeds[row]), number)
                for number in range(2)
            ),
            key=lambda path: -path[1],
        )
        for n, (tokens, score) in enumerate(paths):
            padded = tokens + [0] * (6 - len(tokens))
            assert found["token_ids"][row, n].tolist() == padded
            assert abs(found["scores"][row, n] - score) < 1e-4


def numpy_sample(language, states, row, seed, number):
    tokens, score = [], 0.0
    while len(tokens) < 6 and 2 not in tokens:
        prefixes = np.tile([[[1, *tokens]]], (5, 1, 1))
        log_probs = language.log_probs(states, prefixes)[row, 0]
        bits = [numpy_hash(seed, number, len(tokens), t) for t in range(7)]
        uniform = (np.array([b >> 9 & 2**23 - 1 for b in bits]) + 0.5) / 2**23
        noisy = log_probs / 1.5 - np.log(-np.log(uniform))
        token = 2 + int(np.argmax(noisy[2:]))
        tokens.append(token)
        score += log_probs[token]
    return tokens, score


def test_equal_seeds_give_equal_samples_and_numbers_differ():
    logits = ops.log(ops.array(np.tile(P + 1e-12, (40, 1)), "float32"))
    found = to_numpy(
        Sampling(num_samples=20, max_length=8)(
            lambda token_ids, states, cache, index: (
                logits,
                states,
                cache,
                None,
            ),
            ops.zeros((2, 1)),
            inputs={"seed": np.array([5, 5])},
            **SPECIAL,
        )
    )["token_ids"]
    np.testing.assert_array_equal(found[0], found[1])
    assert len({tuple(row) for row in found[0]}) > 10


def test_n_best_is_the_number_of_samples():
    search = Sampling(0.5)
    assert search.n_best == 1 and search.with_n_best(1) is search
    assert search.with_n_best(3).num_samples == 3


@pytest.mark.parametrize(
    "argument, value",
    [
        ("temperature", 0.0),
        ("temperature", 1e-9),
        ("temperature", float("inf")),
        ("top_k", 0),
        ("top_p", 0.0),
        ("top_p", 1.5),
        ("min_p", -0.1),
        ("num_samples", 0),
    ],
)
def test_errors(argument, value):
    with pytest.raises(ValueError, match=f"`{argument}` must.*Received"):
        Sampling(**{argument: value})


def test_errors_of_the_seed():
    with pytest.raises(ValueError, match=r"`seed`.*shape \(2, 1\)"):
        Sampling()(
            lambda *args: None,
            ops.zeros((2, 1)),
            inputs={"seed": np.zeros((2, 1), "int32")},
            **SPECIAL,
        )
    for wide in (2**31, -(2**31) - 1, 2**40):
        with pytest.raises(ValueError, match=f"to 2147483647.*with {wide}"):
            Sampling()(
                lambda *args: None,
                ops.zeros((2, 1)),
                inputs={"seed": np.array([1, wide])},
                **SPECIAL,
            )
    for rows in (1, 3):
        with pytest.raises(ValueError, match=rf"a source, 2.*\({rows},\)"):
            Sampling()(
                lambda *args: None,
                ops.zeros((2, 1)),
                inputs={"seed": np.zeros(rows, "int32")},
                **SPECIAL,
            )
    with pytest.raises(ValueError, match=r"needs the inputs \['seed'\].*Add"):
        Sampling()(lambda *args: None, ops.zeros((2, 1)), **SPECIAL)
