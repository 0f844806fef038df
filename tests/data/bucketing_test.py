import numpy as np
import pytest

from keras_seq2seq.data import assign_buckets
from keras_seq2seq.data import bucket_length
from keras_seq2seq.data import learn_buckets

GRID = [4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256]


def test_bucket_length():
    for length in range(257):
        assert bucket_length(length) == min(g for g in GRID if g >= length)


def test_bucket_length_errors():
    with pytest.raises(ValueError, match="`length`.*Received: length=-1"):
        bucket_length(-1)


def test_learn_buckets_takes_quantiles():
    # levels for n = 2: 1 - 1/4 = 0.75, and 1. Of 1..8 three quarters are <= 6.
    sources = np.arange(1, 9)
    assert learn_buckets(sources, sources * 10, num_buckets=2) == [
        (6, 60),
        (8, 80),
    ]
    # n = 4: levels 7/16, 12/16, 15/16, 1; of 16 rows the 7th, 12th, ...
    rows = np.arange(1, 17)
    assert learn_buckets(rows, rows[::-1], num_buckets=4) == [
        (7, 7),
        (12, 12),
        (15, 15),
        (16, 16),
    ]


def test_learn_buckets_drops_equal_pairs():
    assert learn_buckets([3] * 5, [4] * 5) == [(3, 4)]
    assert learn_buckets([2, 2, 2, 9], [4] * 4, num_buckets=2) == [
        (2, 4),
        (9, 4),
    ]


def test_learn_buckets_leaves_a_column_for_nothing():
    assert learn_buckets([0, 0], [0, 1], num_buckets=1) == [(1, 1)]


def test_learn_buckets_is_a_chain_that_holds_everything():
    generator = np.random.default_rng(0)
    for _ in range(50):
        rows = generator.integers(1, 40)
        sources, targets = generator.geometric(0.1, (2, rows))
        buckets = learn_buckets(
            sources, targets, num_buckets=int(generator.integers(1, 12))
        )
        assert buckets[-1] == (sources.max(), targets.max())
        for (s0, t0), (s1, t1) in zip(buckets, buckets[1:]):
            assert s0 <= s1 and t0 <= t1 and (s0, t0) != (s1, t1)
        for source, target, index in zip(
            sources, targets, assign_buckets(sources, targets, buckets)
        ):
            fits = [source <= s and target <= t for s, t in buckets]
            assert index == fits.index(True)


def test_assign_buckets():
    buckets = [(2, 5), (4, 5), (4, 9)]
    index = assign_buckets([0, 2, 3, 4, 1], [5, 6, 5, 9, 1], buckets)
    np.testing.assert_array_equal(index, [0, 2, 1, 2, 0])


def test_errors():
    with pytest.raises(ValueError, match="Received: num_buckets=0"):
        learn_buckets([1], [1], num_buckets=0)
    with pytest.raises(ValueError, match=r"`buckets`.*up to \(4, 9\)"):
        assign_buckets([5], [1], [(4, 9)])
