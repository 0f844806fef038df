"""The keys and values of the tokens so far, in tensors of a fixed size."""

from keras import ops

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


def empty_caches(stack, batch, max_length, num_beams=1):
    """What the steps of a stack write to, and the states that go with it.

    The beams of a source write side by side, and nothing moves when they are
    reordered: `ancestors (rows, max_length)` tells which beam a hypothesis was
    at each step, -1 where there was none yet.

    Returns:
        Dict with a cache a block, `"written"`, and the first states; both
        empty where no step follows (`max_length` is `None`).
    """
    if max_length is None:
        return {}, {}
    check_dimension(max_length, "max_length")
    check_dimension(num_beams, "num_beams")
    stack.position.check_length(max_length)
    length = max_length * num_beams
    written = [block.empty_cache(batch, length) for block in stack.blocks]
    ancestors = ops.full((batch, max_length), -1, "int32")
    return {"written": written}, {"ancestors": ancestors}


def check_cache(cache, states, inputs):
    """Raise unless there is room in the cache for all rows.

    Args:
        cache, states: What a step was given.
        inputs: Float tensor of shape `(rows, dim)`.
    """
    if "written" not in cache:
        raise ValueError(
            "A step needs a cache with room for the tokens so far. Received: "
            f"keys {sorted(cache)} alone. Call `initialize(..., "
            "max_length=...)` with the number of steps."
        )
    length = cache["written"][0]["values"].shape[2]
    num_beams = length // states["ancestors"].shape[1]
    batch = cache["blocks"][0]["keys"].shape[0]
    rows = inputs.shape[0], states["ancestors"].shape[0]
    if None not in (batch, *rows) and rows != (batch * num_beams,) * 2:
        raise ValueError(
            f"A step needs a row for each of {num_beams} beams of {batch} "
            f"sources. Received: inputs of {rows[0]} rows, states of {rows[1]}."
            " Call `initialize(..., num_beams=...)` with the number of beams, "
            "and `repeat_rows(states, num_beams)`."
        )


def write_cache(cache, projected, first):
    """The cache with keys and values from the index `first` on."""
    return {
        "keys": write(cache["keys"], projected["keys"], first, axis=3),
        "values": write(cache["values"], projected["values"], first, axis=2),
    }


def add_current_beam(ancestors, index, num_beams):
    """Ancestors of hypotheses that are written at step `index`."""
    rows, length = ops.shape(ancestors)
    beam = ops.expand_dims(ops.arange(rows, dtype="int32") % num_beams, 1)
    return ops.where(
        ops.arange(length, dtype="int32") == index, beam, ancestors
    )


def ancestor_mask(ancestors, num_beams):
    """Boolean tensor `(batch, 1, num_beams, length * num_beams)`: a hypothesis
    sees what its ancestors wrote.

    Args:
        ancestors: Integer tensor of shape `(batch * num_beams, length)`.
        num_beams: Integer or integer scalar.
    """
    length = ops.shape(ancestors)[1]
    seen = ops.expand_dims(ancestors, 2) == ops.arange(num_beams, dtype="int32")
    return ops.reshape(seen, (-1, 1, num_beams, length * num_beams))
