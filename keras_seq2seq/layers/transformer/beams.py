"""Beams among the rows, or among the queries of one memory."""

from keras import ops


def among_queries(x, batch):
    """`(rows, heads, length, n)` -> `(batch, heads, beams * length, n)`."""
    heads, length, n = ops.shape(x)[1:]
    x = ops.reshape(x, (batch, -1, heads, length, n))
    x = ops.transpose(x, (0, 2, 1, 3, 4))
    return ops.reshape(x, (batch, heads, -1, n))


def among_rows(x, length):
    """`(batch, heads, beams * length, n)` -> `(rows, heads, length, n)`."""
    batch, heads, _, n = ops.shape(x)
    x = ops.reshape(x, (batch, heads, -1, length, n))
    x = ops.transpose(x, (0, 2, 1, 3, 4))
    return ops.reshape(x, (-1, heads, length, n))
