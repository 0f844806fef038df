import dataclasses


@dataclasses.dataclass(frozen=True)
class ServedInput:
    """A tensor of a request to a served model.

    Args:
        dtype: String, such as `"string"`, `"int32"` or `"float32"`.
        shape: Tuple. The axes after the batch, with `None` for any size.
            Defaults to `()`.
        meaning: String. A description for users who write requests.

    Example:

    >>> k2s.tasks.ServedInput("string", meaning="UTF-8")
    ServedInput(dtype='string', shape=(), meaning='UTF-8')
    """

    dtype: str
    shape: tuple = ()
    meaning: str = ""
