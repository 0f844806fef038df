"""Token ids, lengths and masks."""

import functools

from keras import ops


def padding_mask(token_ids, pad_token_id):
    """Boolean tensor of the shape of `token_ids`, `True` at real tokens."""
    return ops.not_equal(token_ids, pad_token_id)


def length_mask(lengths, length):
    """Boolean tensor `(..., length)`, `True` at the first `lengths` places."""
    lengths = ops.expand_dims(ops.cast(lengths, "int32"), -1)
    return ops.arange(length, dtype="int32") < lengths


def causal_mask(query_length, value_length):
    """Boolean tensor `(1, Tq, Tv)`: no query sees a place after its own."""
    queries = ops.arange(query_length, dtype="int32")
    places = ops.arange(value_length, dtype="int32")
    return ops.expand_dims(places <= ops.expand_dims(queries, 1), 0)


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
    """Mask of three axes of one `(batch, Tv)`, or as it is, or `None`."""
    if mask is None or len(mask.shape) == 3:
        return mask
    return ops.expand_dims(mask, 1)


def joint_mask(value_mask, attention_mask=None, causal=None):
    """What a query sees where all masks agree, or `None` for everything.

    Args:
        value_mask: Boolean tensor of shape `(batch, Tv)`, or `None`.
        attention_mask: Boolean tensor of shape `(batch, Tq, Tv)`, or `None`.
        causal: What `causal_mask` gave, or `None`.

    Returns:
        `value_mask`, where it is alone, or a tensor of three axes.
    """
    if attention_mask is None and causal is None:
        return value_mask
    masks = over_queries(value_mask), attention_mask, causal
    return functools.reduce(
        ops.logical_and, [mask for mask in masks if mask is not None]
    )


def last_real(value, mask=None):
    """Entry at the last real place: `(batch, Tv, dim)` -> `(batch, dim)`.

    Args:
        value: Float tensor of shape `(batch, Tv, dim)`.
        mask: Boolean tensor of shape `(batch, Tv)`, `True` at real places, or
            `None`. A row with none gives zeros.
    """
    if mask is None:
        return value[:, -1]
    places = ops.arange(1, ops.shape(mask)[1] + 1, dtype="int32")
    place = ops.max(ops.cast(mask, "int32") * places, axis=1, keepdims=True)
    is_last = ops.cast(ops.equal(places, place), value.dtype)
    return ops.squeeze(ops.matmul(ops.expand_dims(is_last, 1), value), 1)


def masked_mean(value, mask=None):
    """Mean over the real places: `(batch, Tv, dim)` -> `(batch, dim)`.

    Arguments as for `last_real`.
    """
    if mask is None:
        return ops.mean(value, axis=1)
    mask = ops.cast(ops.expand_dims(mask, -1), value.dtype)
    count = ops.maximum(ops.sum(mask, axis=1), 1)
    return ops.sum(value * mask, axis=1) / count


def token_weights(token_losses, logits, sample_weight=None):
    """How much each token counts: its weight, zero where logits are masked.

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
    """`x` without the Keras mask that may be attached to it."""
    return ops.copy(x)
