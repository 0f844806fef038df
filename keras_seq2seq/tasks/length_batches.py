"""Batches rows of any length into few shapes."""

import keras
import numpy as np

from keras_seq2seq.data import bucket_length
from keras_seq2seq.data.batch_cost import affordable_rows
from keras_seq2seq.data.batch_cost import most_tokens

ROWS = (1, 8, 64)
# For a source, which a search reads step by step; and for a pair, whose
# attention scores are computed for all positions at once.
MOST_TOKENS = {1: 2**14, 2: most_tokens(1)}


def predict_rows(
    function, rows, lengths, *, model, target_length=1, verbose="auto"
):
    """Apply a function to rows in batches of similar length.

    The cost of a batch is limited (see `affordable_rows`). A row that is too
    long raises before the first batch.

    Args:
        function: Function of a list of rows and their bucket that returns a
            dict of arrays. The list has 1, 8 or 64 rows, filled up with copies
            of the last one, so that there are few shapes. Batches of long rows
            are smaller.
        rows: List.
        lengths: List of tuples of integers that determine a row's bucket: the
            length of the source, or the lengths of source and target.
        model: `Seq2Seq`. Buckets are rounded up within its positions.
        target_length: Integer. The length of all targets, if `lengths` has only
            sources. Defaults to `1`.
        verbose: Boolean or `"auto"`. Whether to show progress, with `"auto"`
            for many batches.

    Returns:
        List with a dict for each row, in the order of the rows.
    """
    _check_tokens(lengths)
    bucket_of = {
        length: _find_bucket(length, model, target_length)
        for length in {*lengths}
    }
    buckets = {}
    for index, length in enumerate(lengths):
        buckets.setdefault(bucket_of[length], []).append(index)
    batches = [
        (bucket, indices[first : first + _most_rows(bucket)])
        for bucket, indices in sorted(buckets.items())
        for first in range(0, len(indices), _most_rows(bucket))
    ]
    show = len(batches) > 8 if verbose == "auto" else verbose
    progress = keras.utils.Progbar(len(batches), verbose=int(bool(show)))
    results = [None] * len(rows)
    for bucket, indices in batches:
        outputs = function(_fill_up([rows[i] for i in indices]), bucket)
        outputs = keras.tree.map_structure(np.asarray, outputs)
        for i, index in enumerate(indices):
            results[index] = keras.tree.map_structure(_row(i), outputs)
        progress.add(1)
    return results


def longest_source(model, target_length):
    """Largest number of positions of a source, beside such a target."""
    limit = model.max_source_length(target_length)
    return MOST_TOKENS[1] if limit is None else min(limit, MOST_TOKENS[1])


def _check_tokens(lengths):
    """Raise if a row is longer than any batch may be."""
    for index, length in enumerate(lengths):
        most = MOST_TOKENS[len(length)]
        if sum(length) > most:
            raise ValueError(
                f"A text, or a pair of texts, must have at most {most:,} "
                f"tokens. Received: number {index} with {sum(length):,} "
                "tokens. Cut it into sentences."
            )


def _most_rows(bucket):
    affordable = affordable_rows(ROWS[-1], sum(bucket))
    return max(size for size in ROWS if size <= max(affordable, 1))


def _find_bucket(length, model, target_length=1):
    """Round lengths up to the grid, or to the model's positions."""
    source, target = (max(n, 1) for n in (*length, target_length)[:2])
    model.check_lengths(source, target)
    source = _round_up(source, model.max_source_length(target))
    if len(length) == 1:
        return (source,)
    return source, _round_up(target, model.max_target_length(source))


def _round_up(length, limit):
    rounded = bucket_length(length)
    return rounded if limit is None else min(rounded, limit)


def _row(i):
    return lambda x: x[i]


def _fill_up(rows):
    size = next(size for size in ROWS if size >= len(rows))
    return rows + rows[-1:] * (size - len(rows))
