"""Shapes of batches: buckets of lengths, and the rows of each."""

import numpy as np

from keras_seq2seq.data.batch_cost import affordable_rows
from keras_seq2seq.data.batch_cost import most_tokens
from keras_seq2seq.data.learn_buckets import learn_buckets
from keras_seq2seq.utils.caller import warn_caller
from keras_seq2seq.utils.checks import check_integer
from keras_seq2seq.utils.sizes import check_dimension

MULTIPLE = 8  # of the rows of a batch with a budget of tokens


def check_batch_size(batch_size, tokens_per_batch):
    """Raise unless exactly one of both is given, an integer above 0."""
    if (batch_size is None) == (tokens_per_batch is None):
        raise ValueError(
            "Either `batch_size` or `tokens_per_batch` must be given. "
            f"Received: batch_size={batch_size}, "
            f"tokens_per_batch={tokens_per_batch}"
        )
    if batch_size is not None:
        check_dimension(batch_size, "batch_size")
    else:
        check_integer(tokens_per_batch, "tokens_per_batch", 1)


def select_affordable(lengths, max_cost):
    """Boolean array `(rows,)`: the pairs that fit into a batch.

    Warns about the others; raises if no pair fits.
    """
    most = most_tokens(1, check_integer(max_cost, "max_cost", 1))
    tokens = lengths.sum(axis=1)
    fits = tokens <= most
    if fits.all():
        return fits
    longest = int(tokens.argmax())
    problem = (
        f"Pairs must have at most {most:,} tokens, source, target and end "
        f"together. Received: {len(fits) - fits.sum():,} of {len(fits):,} "
        f"pairs with more, up to {tokens[longest]:,} (row {longest}). Split "
        "them into sentences, or increase `max_cost`."
    )
    if not fits.any():
        raise ValueError(problem)
    warn_caller(f"{problem} They are left out.")
    return fits


def learn_shapes(lengths, num_buckets, max_cost, batch_size, tokens_per_batch):
    """Learn the buckets of pairs, and the rows of a batch of each bucket.

    With `batch_size`, pairs too long for so many rows get a proportional share
    of the buckets.

    Args:
        lengths: Integer array of shape `(rows, 2)`.
        num_buckets: Integer. Largest number of buckets.
        max_cost: Integer. Largest `rows * tokens**2` of a batch.
        batch_size: Integer, or `None` with `tokens_per_batch`.
        tokens_per_batch: Integer, or `None`.

    Returns:
        List of (source length, target length), and list of integers.
    """
    check_dimension(num_buckets, "num_buckets")
    if batch_size is None:
        buckets = learn_buckets(*lengths.T, num_buckets=num_buckets)
        most = [_rows_of_budget(tokens_per_batch, b) for b in buckets]
        all_rows = -(-len(lengths) // MULTIPLE) * MULTIPLE
        most = [min(n, all_rows) for n in most]  # more would be padding
    else:
        limit = most_tokens(batch_size, max_cost)
        buckets = _learn_two_chains(lengths, limit, num_buckets)
        most = [batch_size] * len(buckets)
    rows = [
        max(1, affordable_rows(n, sum(bucket), max_cost))
        for n, bucket in zip(most, buckets)
    ]
    return buckets, rows


def _rows_of_budget(tokens_per_batch, bucket):
    rows = max(1, tokens_per_batch // sum(bucket))
    return rows // MULTIPLE * MULTIPLE or rows


def _learn_two_chains(lengths, limit, num_buckets):
    """Learn buckets of pairs up to `limit` tokens, and of longer ones."""
    is_long = lengths.sum(axis=1) > limit
    share = max(1, round(num_buckets * float(is_long.mean())))
    share = min(share, num_buckets - 1)
    if is_long.all() or not is_long.any() or not share:
        return learn_buckets(*lengths.T, num_buckets=num_buckets)
    chain = learn_buckets(*lengths[~is_long].T, num_buckets=num_buckets - share)
    above = np.maximum(lengths[is_long], chain[-1])
    return sorted({*chain, *learn_buckets(*above.T, num_buckets=share)})
