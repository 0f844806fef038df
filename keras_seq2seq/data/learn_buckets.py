"""Buckets of lengths with little padding."""

import numpy as np

from keras_seq2seq.utils.sizes import check_dimension

MOST_EDGES = 256  # on each side; more lengths are thinned out
REACH = 3  # edges that one edge moves at a time


def learn_buckets(
    source_lengths, target_lengths, *, num_buckets: int = 8
) -> list[tuple[int, int]]:
    """Learn (source length, target length) pairs with little padding.

    First the best edges of one length are found by dynamic programming: of
    the longer side, where the sides are scaled to equal means. Then the edges
    of both sides are moved, one at a time, for as long as it saves padding.
    The last pair has both maxima. For more than 256 different lengths of a
    side, only some of them may become edges.

    Args:
        source_lengths: Integers of shape `(rows,)`.
        target_lengths: Integers of shape `(rows,)`.
        num_buckets: Integer. Largest number of pairs. Defaults to `8`.

    Returns:
        List of pairs. Both lengths are at least 1 and never decrease.

    Example:

    >>> k2s.data.learn_buckets([1, 2, 3, 9], [5, 5, 6, 9], num_buckets=2)
    [(3, 6), (9, 9)]
    """
    check_dimension(num_buckets, "num_buckets")
    lengths = np.maximum([source_lengths, target_lengths], 1)
    edges = [_thin_out(side) for side in lengths]
    index = [np.searchsorted(*pair) for pair in zip(edges, lengths)]
    counts = np.zeros([len(side) + 1 for side in edges], "int64")
    np.add.at(counts, tuple(i + 1 for i in index), 1)
    table = _Table(edges, counts.cumsum(0).cumsum(1))
    best = _move_edges(_diagonal_buckets(table, lengths, num_buckets), table)
    return sorted({*zip(*(side.tolist() for side in table.lengths(best)))})


class _Table:
    """Edges of both sides, and the number of rows below each pair of them.

    A bucket is a column of two numbers: how many edges of each side it has.

    Args:
        edges: Two increasing arrays.
        counts: Array of shape `(source edges + 1, target edges + 1)`.
    """

    def __init__(self, edges, counts):
        self.edges, self.counts = edges, counts
        self._lengths = [np.append(1, side) for side in edges]

    def lengths(self, buckets):
        return [side[n] for side, n in zip(self._lengths, buckets)]

    def cost(self, buckets):
        """Cells, padding included, of a chain of buckets."""
        below = self.counts[tuple(buckets)]
        rows = np.diff(below, prepend=0)
        return int(np.dot(rows, sum(self.lengths(buckets))))


def _thin_out(lengths):
    """Different lengths, at most `MOST_EDGES`, with the longest.

    Half of them are quantiles, half are spread evenly.
    """
    values = np.unique(lengths)
    if len(values) <= MOST_EDGES:
        return values
    levels = np.linspace(0, 1, MOST_EDGES // 2)
    often = np.quantile(lengths, levels, method="inverted_cdf").astype(int)
    evenly = np.linspace(values[0], values[-1], MOST_EDGES // 2)
    return np.union1d(often, values[np.searchsorted(values, evenly)])


def _diagonal_buckets(table, lengths, num_buckets):
    """Best buckets of one length, which scales to the other side.

    `best[j][e] = min_p best[j - 1][p] + cost of the levels p + 1 to e`.

    Returns:
        Integers of shape `(2, num_buckets)`.
    """
    means = lengths.mean(axis=1)
    scaled = [side / mean for side, mean in zip(table.edges, means)]
    levels = _thin_out(np.concatenate(scaled))
    levels = levels[levels >= max(side[0] for side in scaled)]
    chain = np.array([np.searchsorted(s, levels, "right") for s in scaled])
    below = table.counts[tuple(chain)]
    cells = sum(table.lengths(chain))
    begin = np.append(0, below)[:-1, None]  # a bucket of the levels p to e
    cost = np.triu((below[None] - begin) * cells[None].astype(float))
    cost[np.tril_indices(len(levels), -1)] = np.inf
    best, before = cost[0], []
    for _ in range(min(num_buckets, len(levels)) - 1):
        total = best[:-1, None] + cost[1:]
        before.append(total.argmin(axis=0))
        best = total.min(axis=0)
        before[-1][0], best[0] = -1, cost[0, 0]
    ends = [len(levels) - 1]
    for previous in reversed(before):
        if ends[-1] > 0:
            ends.append(int(previous[ends[-1]]))
    return chain[:, sorted({*ends} - {-1})]


def _move_edges(buckets, table):
    """Move single edges of a chain of buckets while that lowers its cost."""
    buckets, cost, before = buckets.copy(), table.cost(buckets), None
    while cost != before:
        before = cost
        for side in buckets:
            for k in range(len(side) - 1):
                low = side[k - 1] if k else 1
                best = side[k]
                first, last = max(low, best - REACH), best + REACH
                for side[k] in range(first, min(side[k + 1], last) + 1):
                    now = table.cost(buckets)
                    if now < cost:
                        cost, best = now, side[k]
                side[k] = best
    return buckets
