"""Token ids, lengths and masks."""

from keras import ops


def padding_mask(token_ids, pad_token_id):
    """Boolean tensor of the shape of `token_ids`, `True` at real tokens."""
    return ops.not_equal(token_ids, pad_token_id)


def length_mask(lengths, length):
    """Boolean tensor `(..., length)`, `True` at the first `lengths` places."""
    return ops.arange(length) < ops.expand_dims(lengths, -1)


def mask_after_end(token_ids, end_token_id):
    """Boolean tensor `(..., length)`, `True` up to and with the first end."""
    ended = ops.cast(ops.equal(token_ids, end_token_id), "int32")
    return ops.cumsum(ended, axis=-1) - ended < 1
