"""Top k for long rows."""

from keras import ops

BLOCK = 64


def top_k(x, k):
    """Exact `ops.top_k(x, k)` that is fast for long rows.

    The top `k` entries of a row lie in the `k` blocks with the highest maxima,
    so only those blocks are searched.

    Args:
        x: Float tensor of shape `(rows, size)`, with a static size.
        k: Integer.

    Returns:
        Values and int32 indices, both of shape `(rows, k)`, highest first.
    """
    if x.shape[-1] < 4 * k * BLOCK:  # blocks would cost more than they save
        values, indices = ops.top_k(x, k)
        return values, ops.cast(indices, "int32")
    beyond = -x.shape[-1] % BLOCK
    if beyond:
        x = ops.pad(x, ((0, 0), (0, beyond)), constant_values=-float("inf"))
    blocks = x.shape[-1] // BLOCK
    maxima = ops.max(ops.reshape(x, (-1, blocks, BLOCK)), axis=-1)
    # Sorted, so that among equal values the one with the lowest index wins.
    chosen = ops.sort(ops.cast(ops.top_k(maxima, k)[1], "int32"), axis=-1)
    first = ops.arange(ops.shape(x)[0], dtype="int32") * blocks
    near = ops.take(
        ops.reshape(x, (-1, BLOCK)),
        ops.reshape(ops.expand_dims(first, 1) + chosen, (-1,)),
        axis=0,
    )
    values, indices = ops.top_k(ops.reshape(near, (-1, k * BLOCK)), k)
    indices = ops.cast(indices, "int32")
    block = ops.take_along_axis(chosen, indices // BLOCK, axis=1)
    return values, block * BLOCK + indices % BLOCK
