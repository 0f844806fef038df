import itertools

import numpy as np
import pytest
from keras import ops

from keras_seq2seq.ops import monotonic_hard
from keras_seq2seq.ops import monotonic_parallel
from keras_seq2seq.ops import monotonic_recursive
from tests.helpers.gradients import gradient
from tests.helpers.gradients import numerical_gradient

RNG = np.random.default_rng(0)


def by_enumeration(p, previous):
    """Of one row: every start and every string of coins (stop or go on)."""
    places = len(p)
    result = np.zeros(places)
    for coins in itertools.product([False, True], repeat=places):
        chance = np.prod(np.where(coins, p, 1 - p))
        for start in range(places):
            stops = [i for i in range(start, places) if coins[i]]
            if stops:
                result[stops[0]] += previous[start] * chance
    return result


def rows(places):
    """Probabilities and earlier alignments, which may sum to less than 1."""
    p = RNG.uniform(0.02, 0.98, (4, 3, places))
    previous = RNG.dirichlet(np.ones(places), (4, 3))
    previous[0] = np.eye(places)[0]
    previous[1] *= 0.6
    return p, previous


def apply(function, *arrays):
    tensors = [ops.array(x.astype("float32")) for x in arrays]
    return ops.convert_to_numpy(function(*tensors))


@pytest.mark.parametrize("function", [monotonic_recursive, monotonic_parallel])
@pytest.mark.parametrize("places", [1, 2, 5, 8])
def test_expectation_of_the_process(function, places):
    p, previous = rows(places)
    expected = np.array(
        [[by_enumeration(*r) for r in zip(*x)] for x in zip(p, previous)]
    )
    np.testing.assert_allclose(
        apply(function, p, previous), expected, atol=1e-6
    )


def recurrence(p, previous):
    """Eq. 13-14, place by place in float64."""
    q, result = np.zeros(p.shape[:-1]), np.zeros(p.shape)
    for i in range(p.shape[-1]):
        q = (1 - p[..., i - 1] if i else 0) * q + previous[..., i]
        result[..., i] = p[..., i] * q
    return result


def test_recursive_is_exact_where_parallel_is_not():
    p, previous = rows(100)
    p[..., 40] = 1.0  # nothing gets beyond it from before
    p[..., 60:62] = 1.0
    expected = recurrence(p, previous)
    np.testing.assert_allclose(
        apply(monotonic_recursive, p, previous), expected, atol=1e-6
    )
    assert (
        np.abs(apply(monotonic_parallel, p, previous) - expected).max() > 0.01
    )


@pytest.mark.parametrize("function", [monotonic_recursive, monotonic_parallel])
@pytest.mark.parametrize("place", [0, 1])
def test_gradient(function, place):
    arrays = [x[:2, :1].astype("float32") for x in rows(6)]
    tensors = [ops.array(x) for x in arrays]
    factors = RNG.normal(size=arrays[0].shape).astype("float32")

    def swapped(inputs, x):
        return [x if i == place else other for i, other in enumerate(inputs)]

    actual = gradient(
        lambda x: ops.sum(function(*swapped(tensors, x)) * ops.array(factors)),
        arrays[place],
    )
    expected = numerical_gradient(
        lambda x: np.sum(recurrence(*swapped(arrays, x)) * factors),
        arrays[place],
    )
    np.testing.assert_allclose(actual, expected, atol=2e-5)


@pytest.mark.parametrize("function", [monotonic_recursive, monotonic_parallel])
def test_gradient_at_the_ends_is_finite(function):
    p = np.array([[0.0, 1.0, 1.0, 0.0, 1.0, 0.5]], "float32")
    previous = np.full((1, 6), 1 / 6, "float32")
    slope = gradient(
        lambda x: ops.sum(function(x, ops.array(previous)) ** 2), p
    )
    assert np.isfinite(slope).all()


def test_hard_by_hand():
    p = np.array([[0.9, 0.2, 0.6, 0.5, 0.7]])
    for start, end in ((0, 0), (1, 2), (2, 2), (3, 4)):
        np.testing.assert_array_equal(
            apply(monotonic_hard, p, np.eye(5)[[start]]), np.eye(5)[[end]]
        )
    off_the_end = apply(monotonic_hard, 0 * p, np.eye(5)[[2]])
    np.testing.assert_array_equal(off_the_end, np.zeros((1, 5)))
    nowhere = apply(monotonic_hard, p, np.zeros((1, 5)))
    np.testing.assert_array_equal(nowhere, np.zeros((1, 5)))
