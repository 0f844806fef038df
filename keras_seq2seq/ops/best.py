"""The best entries of long rows."""

from keras import ops

BLOCK = 64


def top_k(x, k):
    """`ops.top_k(x, k)` of `x (rows, size)`, exact and fast for long rows.

    The best `k` lie in the `k` blocks with the highest maxima, so of a long
    row only those blocks are ranked.

    Args:
        x: Float tensor of shape `(rows, size)`, with a static size.
        k: Integer.

    Returns:
        Values and int32 places, both of shape `(rows, k)`, best first.
    """
    if x.shape[-1] < 4 * k * BLOCK:  # blocks would cost more than they save
        values, places = ops.top_k(x, k)
        return values, ops.cast(places, "int32")
    beyond = -x.shape[-1] % BLOCK
    if beyond:
        x = ops.pad(x, ((0, 0), (0, beyond)), constant_values=-float("inf"))
    blocks = x.shape[-1] // BLOCK
    maxima = ops.max(ops.reshape(x, (-1, blocks, BLOCK)), axis=-1)
    # In order of place, so that of equal values the first comes first.
    chosen = ops.sort(ops.cast(ops.top_k(maxima, k)[1], "int32"), axis=-1)
    first = ops.arange(ops.shape(x)[0], dtype="int32") * blocks
    near = ops.take(
        ops.reshape(x, (-1, BLOCK)),
        ops.reshape(ops.expand_dims(first, 1) + chosen, (-1,)),
        axis=0,
    )
    values, places = ops.top_k(ops.reshape(near, (-1, k * BLOCK)), k)
    places = ops.cast(places, "int32")
    block = ops.take_along_axis(chosen, places // BLOCK, axis=1)
    return values, block * BLOCK + places % BLOCK
