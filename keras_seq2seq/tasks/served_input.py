import dataclasses


@dataclasses.dataclass(frozen=True)
class ServedInput:
    """One tensor of a request to a served model.

    Args:
        dtype: String, such as `"string"`, `"int32"` or `"float32"`.
        shape: Tuple, the axes after the batch; `None` for any size. Defaults
            to `()`.
        meaning: String, for those who write requests.

    Example:

    >>> k2s.tasks.ServedInput("string", meaning="UTF-8")
    ServedInput(dtype='string', shape=(), meaning='UTF-8')
    """

    dtype: str
    shape: tuple = ()
    meaning: str = ""
