"""Source and target as one sequence."""


def check_widths(inputs_shape, memory_shape):
    """Raise unless the vectors of both sides are equally wide."""
    if inputs_shape[-1] != memory_shape[-1]:
        raise ValueError(
            "Source and target must be equally wide, as one sequence. "
            f"Received: inputs of width {inputs_shape[-1]}, memory of width "
            f"{memory_shape[-1]}. Put `IdentityEncoder` in front."
        )
