"""Few lengths instead of many."""

import numpy as np

from keras_seq2seq.utils.sizes import check_dimension


def bucket_length(length: int) -> int:
    """Length rounded up to the grid 4, 6, 8, 12, 16, 24, 32, 48, 64, ...

    The grid holds the powers of two and one and a half times them. Padding a
    batch to it bounds the number of shapes to compile, whatever the texts.

    Args:
        length: Integer, at least 0.

    Returns:
        Integer of the grid, at least `length`.

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
    """Chain of growing (source length, target length) pairs that fits the data.

    Pair `i` of `n` holds the quantiles of both lengths at the level
    `1 - (1 - i / n)**2`: coarse among the short rows, finer towards the long
    tail, where padding costs most. The last pair holds both maxima. Equal pairs
    count once.

    Args:
        source_lengths: Integers of shape `(rows,)`.
        target_lengths: Integers of shape `(rows,)`.
        num_buckets: Integer. At most this many pairs. Defaults to `8`.

    Returns:
        List of pairs, both lengths at least 1 and never falling.

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
    """Index of the first bucket in which both lengths of a row fit.

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
            "`buckets` must have room for the longest source and target. "
            f"Received: buckets up to {tuple(buckets[-1])}. Learn them from "
            "these lengths with `learn_buckets`."
        )
    return index
