import numpy as np
import pytest
from keras import ops

from keras_seq2seq.ops import keep_min_p
from keras_seq2seq.ops import keep_top_k
from keras_seq2seq.ops import keep_top_p

P = np.array([[0.1, 0.4, 0.2, 0.3], [0.25, 0.25, 0.25, 0.25]])


def kept(function, *args, p=P):
    logits = ops.array(np.log(p), "float32")
    found = ops.convert_to_numpy(function(logits, *args, -1e9))
    left = found > -1e8
    np.testing.assert_array_equal(found[left], np.asarray(logits)[left])
    return [np.flatnonzero(row).tolist() for row in left]


@pytest.mark.parametrize(
    "k, expected",
    [
        (1, [[1], [0, 1, 2, 3]]),  # ties stay
        (3, [[1, 2, 3], [0, 1, 2, 3]]),
        (9, [[0, 1, 2, 3]] * 2),
    ],
)
def test_top_k(k, expected):
    assert kept(keep_top_k, k) == expected


@pytest.mark.parametrize(
    "p, expected",
    [(0.01, [1]), (0.39, [1]), (0.41, [1, 3]), (0.71, [1, 2, 3]), (1.0, None)],
)
def test_top_p(p, expected):
    assert kept(keep_top_p, p)[0] == (expected or [0, 1, 2, 3])


@pytest.mark.parametrize("size", [4, 9, 60, 5000])
def test_sums_and_ratios_that_are_exact_on_paper(size):
    """Whole numbers in place of probabilities, counted in Python."""
    rng = np.random.default_rng(size)
    for _ in range(20):
        counts = np.sort(rng.choice(10 * size, size, replace=False) + 1)[::-1]
        total = int(counts.sum())
        logits = np.log(counts / total)[None]
        logits = ops.array(logits - rng.normal(), "float32")  # any constant
        for n in {1, 2, size // 3, size // 2} - {0}:
            # Exactly the first n make up p, or come down to the ratio p.
            p = int(counts[:n].sum()) / total
            found = ops.convert_to_numpy(keep_top_p(logits, p, -1e9))
            assert (found > -1e8).sum() == n
            p = int(counts[n - 1]) / int(counts[0])
            found = ops.convert_to_numpy(keep_min_p(logits, p, -1e9))
            assert (found > -1e8).sum() == n


def test_a_nucleus_as_the_textbook_has_it():
    p = np.array([[0.5, 0.3, 0.1, 0.1]])
    assert kept(keep_top_p, 0.8, p=p) == [[0, 1]]
    assert kept(keep_top_p, 0.5, p=p) == [[0]]
    assert kept(keep_top_p, 1e-9, p=p) == [[0]]
    assert kept(keep_min_p, 0.2, p=p) == [[0, 1, 2, 3]]
    assert kept(keep_min_p, 0.6, p=p) == [[0, 1]]


def test_top_p_of_a_peak():
    # All that is left has the probability 0 in float32.
    p = np.array([[1.0, 1e-30, 1e-30]])
    assert kept(keep_top_p, 1.0, p=p)[0][0] == 0
    assert kept(keep_top_p, 0.999, p=p) == [[0]]


@pytest.mark.parametrize(
    "p, expected",
    [(0.01, [0, 1, 2, 3]), (0.45, [1, 2, 3]), (0.7, [1, 3]), (1.0, [1])],
)
def test_min_p(p, expected):
    assert kept(keep_min_p, p) == [expected, [0, 1, 2, 3]]
