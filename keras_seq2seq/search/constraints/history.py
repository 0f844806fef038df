"""The tokens of each hypothesis, for constraints that look back."""

from keras import ops

NOTHING = -1  # no token's id


def empty_history(rows, length):
    """Integers of shape `(rows, length)` that stand for no token."""
    return ops.full((rows, length), NOTHING, "int32")


def write_token(history, token_ids, index):
    """`history (rows, length)` with `token_ids (rows,)` at place `index`."""
    here = ops.arange(history.shape[1], dtype="int32") == index
    return ops.where(here, ops.expand_dims(token_ids, 1), history)
