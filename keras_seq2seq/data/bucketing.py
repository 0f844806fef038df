"""Buckets of lengths."""

import numpy as np

from keras_seq2seq.utils.sizes import check_dimension


def bucket_length(length: int) -> int:
    """Round a length up to the grid 4, 6, 8, 12, 16, 24, 32, 48, 64, ...

    The grid has the powers of two and one and a half times each of them.
    Padding batches to it limits the number of shapes to compile.

    Args:
        length: Integer, at least 0.

    Returns:
        Integer. The smallest value of the grid that is at least `length`.

    Example:

    >>> [k2s.data.bucket_length(length) for length in (0, 5, 9, 100)]
    [4, 6, 12, 128]
    """
    if length < 0:
        raise ValueError(
            f"`length` must be at least 0. Received: length={length}."
        )
    power = 4
    while power < length:
        if length <= power + power // 2:
            return power + power // 2
        power *= 2
    return power


def learn_buckets(
    source_lengths, target_lengths, *, num_buckets: int = 8
) -> list[tuple[int, int]]:
    """Learn increasing (source length, target length) pairs from the data.

    Pair `i` of `n` has the quantiles of both lengths at level
    `1 - (1 - i / n)**2`: coarse for short rows, and finer for long rows, where
    padding costs most. The last pair has both maxima. Duplicates are removed.

    Args:
        source_lengths: Integers of shape `(rows,)`.
        target_lengths: Integers of shape `(rows,)`.
        num_buckets: Integer. Largest number of pairs. Defaults to `8`.

    Returns:
        List of pairs. Both lengths are at least 1 and never decrease.

    Example:

    >>> k2s.data.learn_buckets([1, 2, 3, 4], [5, 5, 6, 9], num_buckets=2)
    [(3, 6), (4, 9)]
    """
    check_dimension(num_buckets, "num_buckets")
    levels = 1 - (1 - np.arange(1, num_buckets + 1) / num_buckets) ** 2
    quantiles = np.quantile(
        [source_lengths, target_lengths], levels, axis=1, method="inverted_cdf"
    )  # (num_buckets, 2)
    pairs = np.maximum(quantiles.astype(int), 1)
    return sorted({(int(source), int(target)) for source, target in pairs})


def assign_buckets(source_lengths, target_lengths, buckets) -> np.ndarray:
    """Index of the first bucket into which both lengths of a row fit.

    Args:
        source_lengths: Integers of shape `(rows,)`.
        target_lengths: Integers of shape `(rows,)`.
        buckets: Pairs from `learn_buckets`.

    Returns:
        Integers of shape `(rows,)`.

    Example:

    >>> k2s.data.assign_buckets([1, 1, 4], [5, 7, 1], [(3, 6), (4, 9)])
    array([0, 1, 1])
    """
    sources, targets = np.transpose(buckets)
    index = np.maximum(
        np.searchsorted(sources, source_lengths),
        np.searchsorted(targets, target_lengths),
    )
    if index.size and index.max() >= len(buckets):
        raise ValueError(
            "`buckets` must fit the longest source and target. "
            f"Received: buckets up to {tuple(buckets[-1])}. Learn them from "
            "these lengths with `learn_buckets`."
        )
    return index
