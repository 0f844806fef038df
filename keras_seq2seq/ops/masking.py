"""Token ids, lengths and masks."""

from keras import ops


def padding_mask(token_ids, pad_token_id):
    """Boolean tensor of the shape of `token_ids`, `True` at real tokens."""
    return ops.not_equal(token_ids, pad_token_id)


def length_mask(lengths, length):
    """Boolean tensor `(..., length)`, `True` at the first `lengths` places."""
    lengths = ops.expand_dims(ops.cast(lengths, "int32"), -1)
    return ops.arange(length, dtype="int32") < lengths


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


def without_mask(x):
    """`x` without the Keras mask that may be attached to it."""
    return ops.copy(x)
