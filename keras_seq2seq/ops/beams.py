"""Beams: `(batch, num_beams, ...)` kept flat as `(batch * num_beams, ...)`."""

import keras
from keras import ops


def flatten_beams(x):
    """`(batch, num_beams, ...)` -> `(batch * num_beams, ...)`."""
    return ops.reshape(x, (-1, *x.shape[2:]))


def gather_beams(x, beams):
    """Entries of `x (batch, num_beams)` at `beams (batch, n)`."""
    rows = _rows(beams, x.shape[1])
    entries = ops.take(ops.reshape(x, (-1,)), rows, axis=0)
    return ops.reshape(entries, ops.shape(beams))  # JAX loses empty axes


def _rows(beams, num_beams):
    """Places of `beams (batch, n)` among all `(batch * num_beams,)`."""
    first = ops.arange(ops.shape(beams)[0], dtype=beams.dtype) * num_beams
    return beams + ops.expand_dims(first, 1)


def by_row(x, rows):
    """`x (batch,)` of sources, again for each of the rows of their beams.

    Args:
        x: Tensor of shape `(batch,)`.
        rows: Tensor of shape `(batch * num_beams,)`, of any values.
    """
    zeros = ops.zeros_like(rows, dtype=x.dtype)
    zeros = ops.reshape(zeros, (ops.shape(x)[0], -1))
    return ops.reshape(zeros + ops.expand_dims(x, 1), (-1,))


def reshape_like(x, other):
    """`x` with the static shape and dtype of `other`, as loops demand."""
    return ops.cast(ops.reshape(x, ops.shape(other)), other.dtype)


def row_count(states):
    """Number of rows of nested states."""
    for state in keras.tree.flatten(states):
        return ops.shape(state)[0]
    raise ValueError(
        "`states` must hold a tensor, with the batch in front. Received: none. "
        "A step without a state takes `ops.zeros((batch_size, 1))`."
    )


def repeat_rows(states, num_beams):
    """Nested states of sources, again for each beam.

    Args:
        states: Nested tensors of shape `(batch, ...)`.
        num_beams: Integer.
    """
    return keras.tree.map_structure(
        lambda x: ops.repeat(x, num_beams, axis=0), states
    )


def take_rows(states, beams, num_beams):
    """Nested states of some beams, as many of each source.

    Args:
        states: Nested tensors of shape `(batch * num_beams, ...)`.
        beams: Integer tensor of shape `(batch, n)`.
        num_beams: Integer.

    Returns:
        Nested tensors of shape `(batch * n, ...)`.
    """
    rows = ops.reshape(_rows(beams, num_beams), (-1,))
    return keras.tree.map_structure(lambda x: ops.take(x, rows, axis=0), states)


def select_rows(states, beams, num_beams):
    """Nested states in a new order of beams, with their static shapes.

    Args:
        states, num_beams: As of `take_rows`.
        beams: Integer tensor of shape `(batch, num_beams)`, the parents.
    """
    return states_like(take_rows(states, beams, num_beams), states)


def states_like(states, others):
    """States with the static shapes and dtypes of others, as loops demand."""
    keras.tree.assert_same_structure(states, others)
    return keras.tree.map_structure(reshape_like, states, others)
