"""Beams among the rows, or among the queries of one memory."""

from keras import ops


def beams_to_queries(x, batch):
    """`(rows, heads, length, n)` -> `(batch, heads, beams * length, n)`."""
    heads, length, n = ops.shape(x)[1:]
    x = ops.reshape(x, (batch, -1, heads, length, n))
    x = ops.transpose(x, (0, 2, 1, 3, 4))
    return ops.reshape(x, (batch, heads, -1, n))


def beams_to_rows(x, length):
    """`(batch, heads, beams * length, n)` -> `(rows, heads, length, n)`."""
    batch, heads, _, n = ops.shape(x)
    x = ops.reshape(x, (batch, heads, -1, length, n))
    x = ops.transpose(x, (0, 2, 1, 3, 4))
    return ops.reshape(x, (-1, heads, length, n))


def repeat_bias(bias, num_beams):
    """A bias `(..., steps)` for a cache with an entry for each step and beam:
    `(..., steps * num_beams)`; `None` stays `None`."""
    return None if bias is None else ops.repeat(bias, num_beams, axis=-1)


def join_beams(x, rotation, memory):
    """Inputs of one step, the beams of a source as one sequence.

    Args:
        x: Float tensor of shape `(rows, 1, dim)`.
        rotation: Of a `Position`, for all rows or each, or `None`.
        memory: List of dicts of keys and values, a row a source.

    Returns:
        Float tensor of shape `(batch, num_beams, dim)`, the rotation for it,
        and `num_beams`.
    """
    batch = ops.shape(memory[0]["keys"])[0]
    x = ops.reshape(x, (batch, -1, x.shape[-1]))
    if rotation is not None and len(rotation.shape) == 4:
        half = rotation.shape[-1]
        rotation = ops.reshape(rotation, (2, batch, -1, half))
    return x, rotation, ops.shape(x)[1]
