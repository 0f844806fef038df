"""Rows of any length through a model, few shapes at a time."""

import keras
import numpy as np

from keras_seq2seq.data import bucket_length
from keras_seq2seq.data.batch_cost import affordable_rows
from keras_seq2seq.data.batch_cost import most_tokens

ROWS = (1, 8, 64)
# Of a source, which a search reads place by place; of a pair, where each place
# of one side meets each of the other at once.
MOST_TOKENS = {1: 2**14, 2: most_tokens(1)}


def predict_rows(
    function, rows, lengths, *, model, target_length=1, verbose="auto"
):
    """`function` of each row, batched by length, in the order of the rows.

    A batch costs what it may (see `affordable_rows`), whatever the texts; a
    row that is too long is an error before anything is done.

    Args:
        function: From a list of rows and their bucket to a dict of arrays. The
            list has 1, 8 or 64 rows, filled up with copies of the last one, so
            that the number of shapes stays bounded; fewer of long rows.
        rows: List.
        lengths: List of tuples of integers, what decides a row's bucket: the
            length of the source, or those of source and target.
        model: `Seq2Seq`. A bucket is rounded up as far as it has positions.
        target_length: Integer, the length of all targets, where the lengths
            are of sources alone. Defaults to `1`.
        verbose: Boolean or `"auto"`: whether to show progress, `"auto"` for
            many batches.

    Returns:
        List of dicts, one a row.
    """
    _check_tokens(lengths)
    bucket_of = {
        length: _bucket(length, model, target_length) for length in {*lengths}
    }
    buckets = {}
    for place, length in enumerate(lengths):
        buckets.setdefault(bucket_of[length], []).append(place)
    batches = [
        (bucket, places[first : first + _most_rows(bucket)])
        for bucket, places in sorted(buckets.items())
        for first in range(0, len(places), _most_rows(bucket))
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


def _check_tokens(lengths):
    """Raise where a row is longer than any batch should be."""
    for place, length in enumerate(lengths):
        most = MOST_TOKENS[len(length)]
        if sum(length) > most:
            raise ValueError(
                f"A text, or a pair of texts, must have at most {most:,} "
                f"tokens. Received: number {place} with {sum(length):,} "
                "tokens. Cut it into sentences."
            )


def _most_rows(bucket):
    affordable = affordable_rows(ROWS[-1], sum(bucket))
    return max(size for size in ROWS if size <= max(affordable, 1))


def _bucket(length, model, target_length=1):
    """Lengths rounded up to the grid, or else as far as positions go."""
    source, target = (max(n, 1) for n in (*length, target_length)[:2])
    model.check_lengths(source, target)
    source = _rounded(source, model.max_source_length(target))
    if len(length) == 1:
        return (source,)
    return source, _rounded(target, model.max_target_length(source))


def _rounded(length, limit):
    rounded = bucket_length(length)
    return rounded if limit is None else min(rounded, limit)


def _row(i):
    return lambda x: x[i]


def _filled(rows):
    size = next(size for size in ROWS if size >= len(rows))
    return rows + rows[-1:] * (size - len(rows))
