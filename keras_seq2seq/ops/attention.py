"""From energies to weights to a context."""

from keras import ops

LOWEST = -3e38  # in float32, below any energy


def masked_softmax(energies, mask=None, bias=None):
    """Softmax over the last axis; masked places and empty rows give zeros.

    Computed in float32, so that half precision stays finite.

    Args:
        energies: Float tensor of shape `(..., Tv)`.
        mask: Boolean tensor that broadcasts to it, `True` at real places.
        bias: Float tensor that broadcasts to it, added to the energies, or
            `None`.

    Returns:
        Float tensor of the shape and dtype of `energies`.
    """
    x = ops.cast(energies, "float32")
    if bias is not None:
        x = x + ops.cast(bias, "float32")
    if mask is None:
        return ops.cast(ops.softmax(x, axis=-1), energies.dtype)
    x = ops.where(mask, x, LOWEST)
    x = ops.exp(x - ops.stop_gradient(ops.max(x, axis=-1, keepdims=True)))
    x = x * ops.cast(mask, "float32")
    total = ops.sum(x, axis=-1, keepdims=True)
    return ops.cast(x / ops.maximum(total, 1e-30), energies.dtype)


def weighted_sum(weights, value):
    """Context `(batch, Tq, dim)` of weights `(batch, Tq, Tv)` and value
    `(batch, Tv, dim)`."""
    return ops.matmul(weights, value)
