"""Final states of a recurrent encoder: by direction, then by layer.

The states of a direction are those of one layer, such as `[h]` or `[h, c]`, or
a list of such lists, one a layer, from the bottom up.
"""

from keras import ops
from keras import tree


def layers_of(states):
    """The states of a direction as a list of layers."""
    return states if isinstance(states[0], list) else [states]


def final_state(states):
    """What the encoder has at last, `h_T` of shape `(batch_size, dim)`.

    The first state of the top layer of each direction, forward and backward
    side by side. `None` where there are no states.

    Args:
        states: Dict of directions, of an encoder.
    """
    tops = _tops(states)
    return ops.concatenate(tops, axis=-1) if tops else None


def final_width(states_shape):
    """Width of `final_state`, from the shapes; 0 where there are none."""
    shapes = states_shape or {}
    return sum(_tops(tree.map_shape_structure(lambda s: s[-1], shapes)))


def _tops(states):
    # Forward first on every backend: PyTorch's trees sort the names.
    return [_top(states[name]) for name in sorted(states or {}, reverse=True)]


def _top(states):
    last = states[-1]
    return last[0] if tree.is_nested(last) else states[0]
