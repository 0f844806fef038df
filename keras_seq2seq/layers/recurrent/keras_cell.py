"""Functions for any Keras cell."""

import functools
import inspect

import keras


def width_of(cell):
    """Width of the output of a Keras cell."""
    size = getattr(cell, "output_size", None)
    return size or keras.tree.flatten(cell.state_size)[0]


def check_equal_widths(cells):
    """Raise unless each cell can add its input to its output."""
    widths = [width_of(cell) for cell in cells]
    if len(set(widths)) > 1:
        raise ValueError(
            "With `residual` all cells must have the same width. "
            f"Received: cells of widths {widths}. Make them equal, or "
            "use `residual=False`."
        )


def check_residual(residual):
    """Raise unless `residual` is a boolean or a non-negative layer index."""
    if not isinstance(residual, int) or residual < 0:
        raise ValueError(
            "`residual` must be a boolean, or the index of the first layer "
            "with a residual connection, at least 1. Received: "
            f"residual={residual!r}"
        )
    return residual


@functools.cache
def _takes_training(cls):
    return "training" in inspect.signature(cls.call).parameters


def step(cell, inputs, states, training):
    """Call a Keras cell; return its output, and new states nested as before."""
    kwargs = {"training": training} if _takes_training(type(cell)) else {}
    output, new = cell(inputs, states, **kwargs)
    return output, keras.tree.pack_sequence_as(states, keras.tree.flatten(new))
