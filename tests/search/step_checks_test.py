"""What a caller gives a search, and a step function gives back, is checked."""

import numpy as np
import pytest
from keras import ops

from keras_seq2seq.search import BeamSearch
from keras_seq2seq.search import GreedySearch
from keras_seq2seq.search.constraints import Constraint
from keras_seq2seq.search.penalties import Coverage
from keras_seq2seq.search.penalties import LengthPenalty
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


@pytest.mark.parametrize("search", SEARCHES)
def test_no_sources(search):
    found = run(search, states=np.zeros((0, 1), "float32"))
    assert tuple(found["token_ids"].shape) == (0, 1, 3)


class Odd(Constraint):
    """A constraint, one of whose methods is another."""

    def __init__(self, **methods):
        vars(self).update(methods)

    def __call__(self, log_probs, state, context):
        return vars(self).get("apply", lambda x: x)(log_probs)


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize(
    "methods, message",
    [
        ({"apply": lambda x: x > -1.0}, "must give floats. Received: .*bool"),
        ({"apply": lambda x: ops.cast(x, "int32")}, "must give floats"),
        ({"apply": lambda x: None}, "must give floats. Received: NoneType"),
        ({"apply": lambda x: x[:1]}, "`Odd.*` must be of shape"),
        ({"apply": lambda x: x[:, :1]}, "`Odd.*` must be of shape"),
        ({"first_state": lambda rows, n: 0}, "first_state` must hold tensors"),
        ({"first_state": lambda rows, n: None}, "must hold tensors"),
        ({"first_state": lambda rows, n: ops.zeros((1,))}, "must be of shape"),
        ({"next_state": lambda x, *args: [x]}, "Odd.next_state` must give"),
        ({"may_stop": lambda x, *args: x[:, 0] > -1}, "may_stop` must be of"),
        ({"may_stop": lambda *args: True}, "may_stop` must be of shape"),
    ],
)
def test_constraints(search, methods, message):
    search = search.replace()
    search.constraints = [Odd(**methods)]
    search.min_length = 3  # so that hypotheses are cut
    with pytest.raises((ValueError, TypeError), match=message):
        run(search)


def test_the_state_of_a_constraint_keeps_its_shape_and_dtype():
    search = GreedySearch(3)
    for first, after in (
        (ops.zeros((2, 3)), ops.zeros((3, 2))),
        (ops.zeros((2,), "int32"), ops.zeros((2,)) + 0.5),
    ):
        search.constraints = [
            Odd(
                first_state=lambda rows, n, x=first: x,
                next_state=lambda state, *args, x=after: x,
            )
        ]
        with pytest.raises(ValueError, match="Odd.next_state` must give `stat"):
            run(search)


def test_a_constraint_in_another_float_dtype():
    search = GreedySearch(3)
    search.constraints = [Odd(apply=lambda x: ops.cast(x, "bfloat16"))]
    found = to_numpy(run(search, start_token_ids=[3, 4]))
    assert found["token_ids"].tolist() == [[[4, 2, 0]], [[2, 0, 0]]]
    assert found["scores"].dtype == "float32"


class OddPenalty(LengthPenalty):
    def __init__(self, apply):
        self.apply = apply

    def __call__(self, log_probs, length, inputs):
        return self.apply(log_probs)


class OddCoverage(Coverage):
    def __init__(self, apply):
        self.apply = apply

    def __call__(self, attended, mask):
        return self.apply(attended)


@pytest.mark.parametrize(
    "name, part, message",
    [
        ("length_penalty", OddPenalty(lambda x: x[:, :1]), "of shape"),
        ("length_penalty", OddPenalty(lambda x: x[0]), "of shape"),
        ("length_penalty", OddPenalty(lambda x: None), "must give floats"),
        ("length_penalty", OddPenalty(lambda x: x > 0), "must give floats"),
        ("coverage_penalty", OddCoverage(lambda x: x[:, :1]), "of shape"),
        ("coverage_penalty", OddCoverage(lambda x: x), "of shape"),
        ("coverage_penalty", OddCoverage(lambda x: None), "must give floats"),
    ],
)
def test_penalties(name, part, message):
    attending = changed(3, lambda x: ops.ones((4, 4)) / 4)
    search = BeamSearch(2, max_length=3, **{name: part})
    with pytest.raises((ValueError, TypeError), match=f"`Odd.*{message}"):
        run(search, attending, inputs={"memory_mask": np.ones((2, 4), bool)})


def test_attention_of_another_shape():
    attending = changed(3, lambda x: ops.ones((2, 2, 4)) / 4)
    search = BeamSearch(2, max_length=3, coverage_penalty="wu")
    with pytest.raises(ValueError, match=r"`attention_scores` must .*\(4, 4\)"):
        run(search, attending, inputs={"memory_mask": np.ones((2, 4), bool)})
