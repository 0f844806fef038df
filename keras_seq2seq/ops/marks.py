"""Sets of tokens as masks."""

from keras import ops


def mark_tokens(token_ids, where, size):
    """Which ids of a vocabulary a row holds.

    Args:
        token_ids: Integer tensor of shape `(rows, n)`. Ids outside the
            vocabulary mark nothing.
        where: Boolean tensor of shape `(rows, n)`: which of them count.
        size: Integer, the size of the vocabulary.

    Returns:
        Boolean tensor of shape `(rows, size)`.
    """
    rows = ops.shape(token_ids)[0]
    counts = where & (token_ids >= 0) & (token_ids < size)
    beside = ops.where(counts, token_ids, size)  # a last column, cut off
    first = ops.arange(rows, dtype="int32") * (size + 1)
    places = ops.reshape(ops.expand_dims(first, 1) + beside, (-1, 1))
    marks = ops.scatter_update(
        ops.zeros((rows * (size + 1),), "int32"),
        places,
        ops.ones_like(places[:, 0]),
    )
    return ops.reshape(marks, (-1, size + 1))[:, :size] > 0
