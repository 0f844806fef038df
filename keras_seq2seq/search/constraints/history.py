"""Earlier tokens of each hypothesis, as the state of constraints."""

from keras import ops

NOTHING = -1  # not a token id


def empty_history(rows, length):
    """History without tokens: integers of shape `(rows, length)`."""
    return ops.full((rows, length), NOTHING, "int32")


def write_token(history, token_ids, index):
    """Write `token_ids (rows,)` to `history (rows, length)` at `index`."""
    here = ops.arange(history.shape[1], dtype="int32") == index
    return ops.where(here, ops.expand_dims(token_ids, 1), history)
