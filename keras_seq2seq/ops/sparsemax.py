"""Sparsemax, a softmax with many zeros."""

from keras import ops

from keras_seq2seq.ops.attention import LOWEST


def masked_sparsemax(energies, mask=None):
    """Sparsemax over the last axis; masked positions get zero.

    The point of the probability simplex closest to the energies. A fully masked
    row gives zeros. Computed in float32. The gradient is that of eq. 14 of
    Martins & Astudillo: inside the support its mean is subtracted, outside it
    is zero.

    Args:
        energies: Float tensor of shape `(..., Tv)`.
        mask: Boolean tensor that broadcasts to it, `True` at real positions.

    Returns:
        Float tensor of the shape and dtype of `energies`.
    """
    x = ops.cast(energies, "float32")
    if mask is not None:
        x = ops.where(mask, x, LOWEST)
    x = x - ops.stop_gradient(ops.max(x, axis=-1, keepdims=True))
    support = ops.stop_gradient(_support(x))
    size = ops.sum(ops.cast(support, "float32"), axis=-1, keepdims=True)
    inside = ops.where(support, x, 0.0)
    threshold = (ops.sum(inside, axis=-1, keepdims=True) - 1.0) / size
    weights = ops.where(support, x - threshold, 0.0)
    if mask is not None:
        weights = ops.where(mask, weights, 0.0)
    return ops.cast(weights, energies.dtype)


def _support(x):
    """Boolean mask of the support, for rows whose maximum is 0."""
    # The threshold is at least -1, so clipping there changes nothing.
    ordered = -ops.sort(-ops.maximum(x, -1.0), axis=-1)
    counts = ops.arange(1, ops.shape(x)[-1] + 1, dtype="float32")
    sums = ops.cumsum(ordered, axis=-1)
    inside = ops.cast(1.0 + counts * ordered > sums, "float32")
    size = ops.sum(inside, axis=-1, keepdims=True)
    total = ops.sum(inside * ordered, axis=-1, keepdims=True)
    return x > (total - 1.0) / size
