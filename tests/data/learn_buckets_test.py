import itertools

import numpy as np
import pytest

from keras_seq2seq.data import assign_buckets
from keras_seq2seq.data import learn_buckets


def cells(sources, targets, buckets):
    index = assign_buckets(sources, targets, buckets)
    return int(np.array(buckets)[index].sum())


def best_cells(sources, targets, num_buckets):
    """Least number of cells of any chain of buckets, by brute force."""
    sides = [sorted({*side.tolist()}) for side in (sources, targets)]
    least = cells(sources, targets, [(sides[0][-1], sides[1][-1])])
    grid = [*itertools.product(*sides)]
    for chain in itertools.combinations(grid, num_buckets - 1):
        chain = [*chain, (sides[0][-1], sides[1][-1])]
        pairs = zip(chain, chain[1:])
        if all(s <= u and t <= v for (s, t), (u, v) in pairs):
            least = min(least, cells(sources, targets, chain))
    return least


def test_one_edge_is_best():
    # 1..8 in two: the edge e costs e * e + (8 - e) * 8, least at e = 4.
    lengths = np.arange(1, 9)
    assert learn_buckets(lengths, lengths * 10, num_buckets=2) == [
        (4, 40),
        (8, 80),
    ]


def test_close_to_brute_force():
    generator = np.random.default_rng(0)
    ours, best = [], []
    for _ in range(60):
        sources, targets = generator.integers(1, 6, (2, 9))
        buckets = learn_buckets(sources, targets, num_buckets=3)
        ours.append(cells(sources, targets, buckets))
        best.append(best_cells(sources, targets, 3))
    assert all(x >= y for x, y in zip(ours, best))
    assert sum(ours) <= 1.03 * sum(best)


def test_two_kinds_of_pairs():
    # Nothing between 9 and 40, and targets three times as long.
    sources = np.array([1, 2, 8, 9, 40, 41, 42] * 10)
    buckets = learn_buckets(sources, sources * 3, num_buckets=2)
    assert buckets == [(9, 27), (42, 126)]


def test_lengths_of_many_values():
    lengths = np.random.default_rng(0).integers(1, 5000, (2, 3000))
    buckets = learn_buckets(*lengths, num_buckets=8)
    assert buckets[-1] == tuple(lengths.max(axis=1))
    assert len(buckets) == 8
    assign_buckets(*lengths, buckets)


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
