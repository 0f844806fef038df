"""The keys and values of the tokens so far, in tensors of a fixed size."""

from keras import ops

from keras_seq2seq.ops import IN_PLACE
from keras_seq2seq.ops import write
from keras_seq2seq.utils.sizes import check_dimension
from keras_seq2seq.utils.sizes import check_fits


def empty_cache(rows, length, num_heads, head_dim, dtype):
    """Dict of `keys` `(rows, num_heads, head_dim, length)` and `values`
    `(rows, num_heads, length, head_dim)`, all zero."""
    sizes = {"rows": rows, "length": length, "dim": num_heads * head_dim}
    if isinstance(rows, int):
        check_fits("The cache of a block, `max_length * num_beams` long", sizes)
    return {
        "keys": ops.zeros((rows, num_heads, head_dim, length), dtype),
        "values": ops.zeros((rows, num_heads, length, head_dim), dtype),
    }


def first_states(stack, batch, max_length, num_beams=1):
    """States of a stack: a cache a block, or none where no step follows.

    The beams of a source write side by side, and nothing moves when they are
    reordered: `ancestors (rows, max_length)` tells which beam a hypothesis was
    at each step, -1 where there was none yet.
    """
    if max_length is None:
        return {}
    check_dimension(max_length, "max_length")
    check_dimension(num_beams, "num_beams")
    stack.position.check_length(max_length)
    places = max_length * num_beams
    return {
        "ancestors": ops.full((batch, max_length), -1, "int32"),
        IN_PLACE: [block.empty_cache(batch, places) for block in stack.blocks],
    }


def check_states(states, memory, inputs):
    """Raise unless the states hold a cache with room for all rows.

    Args:
        states: What a step was given.
        memory: List of dicts of keys and values, a row a source.
        inputs: Float tensor of shape `(rows, dim)`.
    """
    if not states or IN_PLACE not in states:
        raise ValueError(
            "A step needs a cache for the tokens before it. Received: "
            f"states with the keys {sorted(states or ())}. Call `begin(..., "
            "max_length=...)` with the number of steps."
        )
    places = states[IN_PLACE][0]["values"].shape[2]
    room = places // states["ancestors"].shape[1]
    batch = memory[0]["keys"].shape[0]
    rows = inputs.shape[0], states["ancestors"].shape[0]
    if None not in (batch, *rows) and rows != (batch * room,) * 2:
        raise ValueError(
            f"A step needs a row for each of {room} beams of {batch} sources. "
            f"Received: inputs of {rows[0]} rows, states of {rows[1]}. Call "
            "`begin(..., num_beams=...)` with the number of beams, and "
            "`repeat_rows(states, num_beams)`."
        )


def written(cache, projected, first):
    """The cache with keys and values from the place `first` on."""
    return {
        "keys": write(cache["keys"], projected["keys"], first, axis=3),
        "values": write(cache["values"], projected["values"], first, axis=2),
    }


def with_itself(ancestors, index, num_beams):
    """Ancestors of hypotheses that are written at step `index`."""
    rows, length = ops.shape(ancestors)
    beam = ops.expand_dims(ops.arange(rows, dtype="int32") % num_beams, 1)
    return ops.where(
        ops.arange(length, dtype="int32") == index, beam, ancestors
    )


def seen_by_beams(ancestors, num_beams):
    """Boolean tensor `(batch, 1, num_beams, places)`: a hypothesis sees what
    its ancestors wrote.

    Args:
        ancestors: Integer tensor of shape `(batch * num_beams, length)`.
        num_beams: Integer or integer scalar; `places` is `length` times that.
    """
    length = ops.shape(ancestors)[1]
    seen = ops.expand_dims(ancestors, 2) == ops.arange(num_beams, dtype="int32")
    return ops.reshape(seen, (-1, 1, num_beams, length * num_beams))


def up_to_now(length):
    """Boolean tensor `(length, length)`: no input looks at a later place."""
    places = ops.arange(length, dtype="int32")
    return places <= ops.expand_dims(places, 1)
