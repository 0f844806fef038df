"""Final states of a recurrent encoder, by direction and layer.

The states of a direction are those of one layer, such as `[h]` or `[h, c]`, or
a list with those of each layer, from the bottom up.
"""

from keras import ops
from keras import tree


def layers_of(states):
    """States of a direction as a list with one entry per layer."""
    return states if isinstance(states[0], list) else [states]


def final_state(states):
    """The encoder's final state `h_T`, of shape `(batch_size, dim)`.

    The first state of the top layer, with the directions concatenated, forward
    first. `None` without states.

    Args:
        states: Dict of direction -> final states of an encoder.
    """
    tops = _tops(states)
    return ops.concatenate(tops, axis=-1) if tops else None


def final_width(states_shape):
    """Width of `final_state`, given the shapes; 0 without states."""
    shapes = states_shape or {}
    return sum(_tops(tree.map_shape_structure(lambda s: s[-1], shapes)))


def _tops(states):
    # Forward first explicitly, as PyTorch's trees sort the names.
    return [_top(states[name]) for name in sorted(states or {}, reverse=True)]


def _top(states):
    last = states[-1]
    return last[0] if tree.is_nested(last) else states[0]
