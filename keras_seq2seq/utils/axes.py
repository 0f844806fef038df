"""Checks that named axes of several tensors have equal sizes."""


def check_axes(tensors, axes):
    """Raise unless axes with the same name have the same size.

    Args:
        tensors: Dict of name -> anything with a `shape`, or `None`.
        axes: Dict of name -> tuple that describes each axis: a name, a size, or
            `None` for any size. A final `...` allows any further axes. Entries
            without a tensor, or with one of unknown rank, are skipped.

    Returns:
        List with one list for each named axis whose sizes are not all known
        yet: the pairs `(tensor name, axis index)` that must agree.
    """
    sizes = {}  # axis -> list of (size, tensor name, axis index)
    for name, expected in axes.items():
        shape = known_shape(tensors.get(name))
        if shape is None:
            continue
        _check_rank(name, shape, expected)
        for index, (axis, size) in enumerate(zip(expected, shape)):
            if axis is None or axis is ...:
                continue
            first = [(axis, None, None)] if isinstance(axis, int) else []
            others = sizes.setdefault(axis, first)
            _check_size(name, shape, expected, (axis, size), others)
            others.append((size, name, index))
    return [
        [(name, index) for _, name, index in entries]
        for axis, entries in sizes.items()
        if not isinstance(axis, int)
        and len(entries) > 1
        and None in [size for size, *_ in entries]
    ]


SOURCE = {
    "inputs": ("batch_size", "source_length", ...),
    "mask": ("batch_size", "source_length"),
}
MEMORY = {
    "memory": ("batch_size", "Tv", "value_dim"),
    "memory_mask": ("batch_size", "Tv"),
}


def check_source(inputs, mask):
    """Raise unless an encoder's mask fits its inputs."""
    check_axes({"inputs": inputs, "mask": mask}, SOURCE)


def check_memory(memory, memory_mask):
    """Raise unless a decoder's memory mask fits its memory.

    A nested memory is left to the cell that reads it.
    """
    if not isinstance(memory, (dict, list, tuple)):
        check_axes({"memory": memory, "memory_mask": memory_mask}, MEMORY)


def known_shape(tensor):
    """Shape as a tuple, or `None` without a tensor or with an unknown rank.

    TensorFlow loses the rank when a traced step was given several ranks.
    """
    if tensor is None or getattr(tensor.shape, "rank", 0) is None:
        return None
    return tuple(tensor.shape)


def _check_rank(name, shape, expected):
    at_least = len(expected) - 1 if expected[-1] is ... else None
    fits = (
        len(shape) == len(expected)
        if at_least is None
        else (len(shape) >= at_least)
    )
    if not fits:
        raise ValueError(
            f"`{name}` must be of shape {_format_axes(expected)}. Received: "
            f"{name} of shape {shape}"
        )


def _check_size(name, shape, expected, axis, others):
    axis, size = axis
    for other, other_name, _ in others:
        if None in (size, other) or size == other:
            continue
        where = (
            ""
            if other_name is None
            else (f", with the {axis} of `{other_name}`, {other}")
        )
        raise ValueError(
            f"`{name}` must be of shape {_format_axes(expected)}{where}. "
            f"Received: {name} of shape {shape}"
        )


def _format_axes(expected):
    """Format axes as `(batch_size, source_length)`, without quotes."""
    names = {...: "...", None: "any"}
    inside = ", ".join(str(names.get(axis, axis)) for axis in expected)
    return f"({inside},)" if len(expected) == 1 else f"({inside})"
