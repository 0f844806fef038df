"""Buckets of lengths."""

import numpy as np


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
