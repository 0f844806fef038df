"""What a caller gives a search, and a step function gives back, is checked."""

import numpy as np
import pytest
from keras import ops

from keras_seq2seq.search import BeamSearch
from keras_seq2seq.search import GreedySearch
from keras_seq2seq.testing.checks import to_numpy

SPECIAL = {"start_token_id": 1, "end_token_id": 2, "pad_token_id": 0}
SEARCHES = [GreedySearch(3), BeamSearch(2, max_length=3)]
# Row: the token before. After 3 comes 4, after 4 the end, else 3.
AFTER = np.full((6, 6), -4.0, "float32")
AFTER[[0, 1, 2, 3, 4, 5], [3, 3, 3, 4, 2, 3]] = 4.0


def step(token_ids, states, cache, index):
    logits = ops.take(ops.array(AFTER), token_ids, axis=0)
    return logits, states, cache, None


def changed(place, change):
    """The step function, one of its results changed."""

    def changed_step(*args):
        results = list(step(*args))
        results[place] = change(results[place])
        return tuple(results)

    return changed_step


def run(search, step=step, states=None, **kwargs):
    states = ops.zeros((2, 1)) if states is None else states
    return search(step, states, **{**SPECIAL, **kwargs})


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize(
    "wrong, message",
    [
        (lambda *args: step(*args)[:3], "Received: a tuple of 3"),
        (lambda *args: (*step(*args), None), "Received: a tuple of 5"),
        (lambda *args: step(*args)[0], "must give four"),
        (lambda *args: None, "Received: a NoneType"),
        (changed(0, lambda x: x[:, None]), "`logits` must be of shape"),
        (changed(0, lambda x: x[0]), "`logits` must be of shape"),
        (changed(0, lambda x: x[:1]), "`logits` must be of shape"),
        (changed(1, lambda x: [x]), "`states` nested as it"),
        (changed(1, lambda x: ops.reshape(x, (1, -1))), "`states` of the"),
        (changed(2, lambda x: [x, x]), "`cache` nested as it"),
        (changed(2, lambda x: None), "`cache` of the shapes"),
        (changed(2, lambda x: ops.cast(x, "int32")), "dtypes that it received"),
        (changed(2, lambda x: ops.concatenate([x, x])), "float32.6. after"),
    ],
)
def test_results_of_a_step(search, wrong, message):
    with pytest.raises(ValueError, match=message):
        run(search, wrong, cache=ops.zeros((3,)))


def test_states_are_not_rounded():
    """A count that begins as an integer would lose its fractions."""
    half = changed(1, lambda x: ops.cast(x, "float32") + 0.5)
    with pytest.raises(ValueError, match="float32.2, 1. after int32.2, 1."):
        run(GreedySearch(3), half, ops.zeros((2, 1), "int32"))


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize(
    "token_ids, message",
    [
        ([3], r"of shape \(2,\)"),
        ([[3], [4]], r"of shape \(2,\)"),
        (3, r"of shape \(2,\)"),
        ([3.5, 4.0], "must hold integers"),
        ([True, False], "must hold integers"),
        ([3, -1], "ids of at least 0"),
        ([3, 2**40], "fit into 32 bits"),
    ],
)
def test_start_token_ids(search, token_ids, message):
    with pytest.raises((ValueError, TypeError), match=message):
        run(search, start_token_ids=np.array(token_ids))


@pytest.mark.parametrize("name", SPECIAL)
@pytest.mark.parametrize("token_id", [None, 1.0, -1, True])
def test_special_token_ids(name, token_id):
    with pytest.raises(ValueError, match=f"`{name}` must be an integer"):
        run(GreedySearch(3), **{name: token_id})


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize(
    "kwargs, message",
    [
        ({"states": [None]}, "`states` must hold tensors alone"),
        ({"states": [1.0, 2.0]}, "`states` must hold tensors alone"),
        ({"states": np.zeros(())}, r"`states` must be of shape \(batch_size"),
        ({"states": [np.zeros((2, 1)), np.zeros((3, 1))]}, "one batch size"),
        ({"cache": None}, "`cache` must hold tensors alone"),
        ({"cache": {"a": "b"}}, "entry of type `str`"),
    ],
)
def test_states_and_cache(search, kwargs, message):
    with pytest.raises((ValueError, TypeError), match=message):
        run(search, **kwargs)


@pytest.mark.parametrize("search", SEARCHES)
def test_arrays_and_numbers_are_tensors(search):
    def counting(token_ids, states, cache, index):
        logits, states, *_ = step(token_ids, states, cache, index)
        return logits, states, {"n": cache["n"] + 1}, None

    found = run(
        search,
        counting,
        np.zeros((2, 1), "float32"),
        cache={"n": 3},
        start_token_ids=[3, 4],
    )
    assert to_numpy(found)["token_ids"].tolist() == [[[4, 2, 0]], [[2, 0, 0]]]
