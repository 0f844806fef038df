"""Which sizes of which tensors must agree."""


def check_axes(tensors, axes):
    """Raise unless axes of one name have one size, as far as sizes are known.

    Args:
        tensors: Dict of name -> anything with a `shape`, or `None`.
        axes: Dict of name -> tuple with what its axes are: a name, a size, or
            `None` for any size; `...` at the end for any axes more. What has
            no tensor, or one of unknown rank, is passed over.

    Returns:
        List of lists of places `(name, number of the axis)` whose sizes must
        agree and are not known yet, one list an axis.
    """
    found = {}  # of each axis: list of (size, name, place)
    for name, wanted in axes.items():
        shape = known_shape(tensors.get(name))
        if shape is None:
            continue
        _check_rank(name, shape, wanted)
        for place, (axis, size) in enumerate(zip(wanted, shape)):
            if axis is None or axis is ...:
                continue
            first = [(axis, None, None)] if isinstance(axis, int) else []
            others = found.setdefault(axis, first)
            _check_size(name, shape, wanted, (axis, size), others)
            others.append((size, name, place))
    return [
        [(name, place) for _, name, place in places]
        for axis, places in found.items()
        if not isinstance(axis, int)
        and len(places) > 1
        and None in [size for size, *_ in places]
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
    """Raise unless the mask of an encoder has the shape of its inputs."""
    check_axes({"inputs": inputs, "mask": mask}, SOURCE)


def check_memory(memory, memory_mask):
    """Raise unless the mask of a decoder has the shape of its memory."""
    check_axes({"memory": memory, "memory_mask": memory_mask}, MEMORY)


def known_shape(tensor):
    """Shape as a tuple; `None` without a tensor, or where nothing is known.

    TensorFlow knows no rank where a step has had several.
    """
    if tensor is None or getattr(tensor.shape, "rank", 0) is None:
        return None
    return tuple(tensor.shape)


def _check_rank(name, shape, wanted):
    at_least = len(wanted) - 1 if wanted[-1] is ... else None
    fits = (
        len(shape) == len(wanted)
        if at_least is None
        else (len(shape) >= at_least)
    )
    if not fits:
        raise ValueError(
            f"`{name}` must be of shape {_written(wanted)}. Received: {name} "
            f"of shape {shape}"
        )


def _check_size(name, shape, wanted, axis, others):
    axis, size = axis
    for other, other_name, place in others:
        if None in (size, other) or size == other:
            continue
        where = (
            ""
            if other_name is None
            else (f", with the {axis} of `{other_name}`, {other}")
        )
        raise ValueError(
            f"`{name}` must be of shape {_written(wanted)}{where}. Received: "
            f"{name} of shape {shape}"
        )


def _written(wanted):
    """`(batch_size, source_length)`: names without quotes."""
    names = {...: "...", None: "any"}
    inside = ", ".join(str(names.get(axis, axis)) for axis in wanted)
    return f"({inside},)" if len(wanted) == 1 else f"({inside})"
