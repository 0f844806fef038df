"""Rows of any length through a model, few shapes at a time."""

import keras
import numpy as np

from keras_seq2seq.data import bucket_length
from keras_seq2seq.utils.largest import largest

ROWS = (1, 8, 64)


def predict_rows(function, rows, lengths, *, check, verbose="auto"):
    """`function` of each row, batched by length, in the order of the rows.

    Args:
        function: From a list of rows and their bucket to a dict of arrays. The
            list has 1, 8 or 64 rows, filled up with copies of the last one, so
            that the number of shapes stays bounded.
        rows: List.
        lengths: List of tuples of integers, what decides a row's bucket.
        check: Function of such a tuple that raises where it is too long for
            the model. A bucket is rounded up as far as it allows.
        verbose: Boolean or `"auto"`: whether to show progress, `"auto"` for
            many batches.

    Returns:
        List of dicts, one a row.
    """
    bucket_of = {length: _bucket(length, check) for length in {*lengths}}
    buckets = {}
    for place, length in enumerate(lengths):
        buckets.setdefault(bucket_of[length], []).append(place)
    batches = [
        (bucket, places[first : first + ROWS[-1]])
        for bucket, places in sorted(buckets.items())
        for first in range(0, len(places), ROWS[-1])
    ]
    show = len(batches) > 8 if verbose == "auto" else verbose
    progress = keras.utils.Progbar(len(batches), verbose=int(bool(show)))
    results = [None] * len(rows)
    for bucket, places in batches:
        found = function(_filled([rows[p] for p in places]), bucket)
        found = keras.tree.map_structure(np.asarray, found)
        for i, place in enumerate(places):
            results[place] = keras.tree.map_structure(_row(i), found)
        progress.add(1)
    return results


def _bucket(length, check):
    """Lengths rounded up to the grid, or else as far as `check` allows."""
    check(length)
    bucket = [max(n, 1) for n in length]
    for side, n in enumerate(bucket):

        def fits(other, side=side):
            check((*bucket[:side], other, *bucket[side + 1 :]))

        bucket[side] = largest(bucket_length(n), fits, least=n)
    return tuple(bucket)


def _row(i):
    return lambda x: x[i]


def _filled(rows):
    size = next(size for size in ROWS if size >= len(rows))
    return rows + rows[-1:] * (size - len(rows))
