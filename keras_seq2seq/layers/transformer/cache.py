"""The keys and values of the tokens so far, in tensors of a fixed size."""

from keras import ops


def empty_cache(rows, length, num_heads, head_dim, dtype):
    """Dict of `keys` `(rows, num_heads, head_dim, length)` and `values`
    `(rows, num_heads, length, head_dim)`, all zero."""
    return {
        "keys": ops.zeros((rows, num_heads, head_dim, length), dtype),
        "values": ops.zeros((rows, num_heads, length, head_dim), dtype),
    }


def empty_caches(stack, rows, max_length):
    """States of a stack: a cache a block, or none where no step follows."""
    if max_length is None:
        return {}
    stack.position.check_length(max_length)
    caches = [block.empty_cache(rows, max_length) for block in stack.blocks]
    return {"blocks": caches}


def check_cache(states):
    """Raise unless the states of a stack hold caches."""
    if not states:
        raise ValueError(
            "A step needs a cache for the tokens before it. Received: "
            f"states={states}. Call `begin(..., max_length=...)` with the "
            "number of steps."
        )


def written(cache, projected, index):
    """The cache with the keys and values of one token at place `index`."""
    here = ops.arange(cache["values"].shape[2]) == index
    return {
        "keys": ops.where(here, projected["keys"], cache["keys"]),
        "values": ops.where(
            ops.expand_dims(here, 1), projected["values"], cache["values"]
        ),
    }


def up_to_now(length, first, places):
    """Boolean tensor `(length, places)`: no input looks at a later place.

    Args:
        length: Integer or integer scalar, the number of inputs.
        first: Integer or integer scalar, the place of the first of them.
        places: Integer or integer scalar.
    """
    now = ops.expand_dims(ops.arange(length) + first, 1)
    return ops.arange(places) <= now
