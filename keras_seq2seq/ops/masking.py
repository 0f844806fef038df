"""Masks from token ids and lengths, and what is computed with them."""

import functools

from keras import ops


def padding_mask(token_ids, pad_token_id):
    """Boolean tensor of the shape of `token_ids`, `True` at real tokens."""
    return ops.not_equal(token_ids, pad_token_id)


def length_mask(lengths, length):
    """Boolean tensor `(..., length)`, `True` below `lengths (...)`."""
    lengths = ops.expand_dims(ops.cast(lengths, "int32"), -1)
    return ops.arange(length, dtype="int32") < lengths


def causal_mask(query_length, value_length):
    """Boolean tensor `(1, Tq, Tv)`, `True` up to a query's own position."""
    queries = ops.arange(query_length, dtype="int32")
    positions = ops.arange(value_length, dtype="int32")
    return ops.expand_dims(positions <= ops.expand_dims(queries, 1), 0)


def vocabulary_mask(token_ids, where, size):
    """Boolean tensor `(rows, size)`, `True` at the ids that a row holds.

    Args:
        token_ids: Integer tensor of shape `(rows, n)`. Ids outside the
            vocabulary are ignored.
        where: Boolean tensor of shape `(rows, n)`, `True` at the ids that
            count.
        size: Integer, the size of the vocabulary.
    """
    rows = ops.shape(token_ids)[0]
    counts = where & (token_ids >= 0) & (token_ids < size)
    columns = ops.where(counts, token_ids, size)  # a last column, cut off
    first = ops.arange(rows, dtype="int32") * (size + 1)
    indices = ops.reshape(ops.expand_dims(first, 1) + columns, (-1, 1))
    mask = ops.scatter_update(
        ops.zeros((rows * (size + 1),), "int32"),
        indices,
        ops.ones_like(indices[:, 0]),
    )
    return ops.reshape(mask, (-1, size + 1))[:, :size] > 0


def over_queries(mask):
    """Add the query axis that a mask `(batch, Tv)` lacks; keep others."""
    if mask is None or len(mask.shape) == 3:
        return mask
    return ops.expand_dims(mask, 1)


def joint_mask(value_mask, attention_mask=None, causal=None):
    """The logical and of all masks that are given, or `None` without any.

    Args:
        value_mask: Boolean tensor of shape `(batch, Tv)`, or `None`.
        attention_mask: Boolean tensor of shape `(batch, Tq, Tv)`, or `None`.
        causal: The result of `causal_mask`, or `None`.

    Returns:
        `value_mask` if it is the only one, else a mask with three axes.
    """
    if attention_mask is None and causal is None:
        return value_mask
    masks = over_queries(value_mask), attention_mask, causal
    return functools.reduce(
        ops.logical_and, [mask for mask in masks if mask is not None]
    )


def last_real(value, mask=None):
    """Value at the last real position: `(batch, Tv, dim)` -> `(batch, dim)`.

    Args:
        value: Float tensor of shape `(batch, Tv, dim)`.
        mask: Boolean tensor of shape `(batch, Tv)`, `True` at real positions,
            or `None`. A fully masked row gives zeros.
    """
    if mask is None:
        return value[:, -1]
    positions = ops.arange(1, ops.shape(mask)[1] + 1, dtype="int32")
    last = ops.max(ops.cast(mask, "int32") * positions, axis=1, keepdims=True)
    is_last = ops.cast(ops.equal(positions, last), value.dtype)
    return ops.squeeze(ops.matmul(ops.expand_dims(is_last, 1), value), 1)


def masked_mean(value, mask=None):
    """Mean over the real positions: `(batch, Tv, dim)` -> `(batch, dim)`.

    Arguments as for `last_real`.
    """
    if mask is None:
        return ops.mean(value, axis=1)
    mask = ops.cast(ops.expand_dims(mask, -1), value.dtype)
    count = ops.maximum(ops.sum(mask, axis=1), 1)
    return ops.sum(value * mask, axis=1) / count


def token_weights(token_losses, logits, sample_weight=None):
    """Weights of the tokens in a loss: zero where the logits are masked.

    Args:
        token_losses: Float tensor of shape `(batch, length)`.
        logits: Tensor that may carry a Keras mask of that shape.
        sample_weight: Tensor of that shape, or `(batch,)`, or `None`.

    Returns:
        Float tensor of the shape and dtype of `token_losses`.
    """
    weights = ops.ones_like(token_losses)
    if sample_weight is not None:
        given = ops.cast(sample_weight, weights.dtype)
        rows = len(given.shape) == 1
        weights = weights * (ops.expand_dims(given, 1) if rows else given)
    mask = getattr(logits, "_keras_mask", None)
    return weights if mask is None else ops.where(mask, weights, 0.0)


def without_mask(x):
    """Copy of `x` without a Keras mask."""
    return ops.copy(x)
