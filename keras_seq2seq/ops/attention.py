"""The softmax and the weighted sum of attention."""

from keras import ops

LOWEST = -3e38  # below any energy, finite in float32


def masked_softmax(energies, mask=None, bias=None):
    """Softmax over the last axis; masked positions get zero.

    A row that is fully masked gives zeros.

    Computed in float32, so that half precision stays finite.

    Args:
        energies: Float tensor of shape `(..., Tv)`.
        mask: Boolean tensor that broadcasts to it, `True` at real positions.
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
    """Context `(batch, Tq, dim)`: `weights (batch, Tq, Tv) @ value`."""
    return ops.matmul(weights, value)
