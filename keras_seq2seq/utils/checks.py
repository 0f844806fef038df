"""Checks of arguments, each with one clear error."""

import numbers


def _is_number(value):
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def check_integer(value, argument, least):
    """Return `value` as a Python `int`; raise unless it is at least `least`."""
    is_integer = isinstance(value, numbers.Integral)
    if isinstance(value, bool) or not is_integer or value < least:
        raise ValueError(
            f"`{argument}` must be an integer of at least {least}. "
            f"Received: {argument}={value!r}"
        )
    return int(value)


def check_token_id(value, argument, vocabulary_size):
    """Raise unless `value` is an id below `vocabulary_size`."""
    value = check_integer(value, argument, 0)
    if value >= vocabulary_size:
        raise ValueError(
            f"`{argument}` must be less than the vocabulary's size, "
            f"{vocabulary_size}. Received: {argument}={value}"
        )
    return value


def check_rate(value, argument):
    """Raise unless `value` is a number in [0, 1)."""
    if not _is_number(value) or not 0 <= value < 1:
        raise ValueError(
            f"`{argument}` must be a number in [0, 1). "
            f"Received: {argument}={value!r}"
        )
    return value


def check_choice(value, argument, choices):
    """Raise unless `value` is one of `choices`."""
    if value not in choices:
        raise ValueError(
            f"`{argument}` must be one of {sorted(choices, key=str)}. "
            f"Received: {argument}={value!r}"
        )
    return value


def check_type(value, argument, kind):
    """Raise unless `value` is a `kind`."""
    if not isinstance(value, kind):
        raise TypeError(
            f"`{argument}` must be a `{kind.__name__}`. "
            f"Received: {argument} of type `{type(value).__name__}`"
        )
    return value


def check_positive(value, argument):
    """Raise unless `value` is a finite number above 0."""
    if not _is_number(value) or not 0 < value < float("inf"):
        raise ValueError(
            f"`{argument}` must be a finite number above 0. "
            f"Received: {argument}={value!r}"
        )
    return value


def check_number(value, argument, least=-float("inf")):
    """Raise unless `value` is a finite number of at least `least`."""
    if (
        not _is_number(value)
        or not least <= value
        or not abs(value) < float("inf")
    ):
        at_least = f" of at least {least}" if least > -float("inf") else ""
        raise ValueError(
            f"`{argument}` must be a finite number{at_least}. "
            f"Received: {argument}={value!r}"
        )
    return value


def check_fraction(value, argument):
    """Raise unless `value` is a number in (0, 1]."""
    if not _is_number(value) or not 0 < value <= 1:
        raise ValueError(
            f"`{argument}` must be a number in (0, 1]. "
            f"Received: {argument}={value!r}"
        )
    return value


def check_not_above(value, argument, limit, limit_argument):
    """Raise unless `value` is at most `limit`, another argument."""
    if value > limit:
        raise ValueError(
            f"`{argument}` must not exceed `{limit_argument}`. Received: "
            f"{argument}={value}, {limit_argument}={limit}"
        )
    return value


def check_query_and_value(query, value):
    """Raise unless both have three axes and, where known, one batch size."""
    shapes = tuple(query.shape), tuple(value.shape)
    rows = {shape[0] for shape in shapes if shape} - {None}
    if {len(shape) for shape in shapes} != {3} or len(rows) > 1:
        raise ValueError(
            "Attention needs a `query` of shape (batch_size, Tq, query_dim) "
            "and a `value` of shape (batch_size, Tv, value_dim). Received: "
            f"query of shape {shapes[0]}, value of shape {shapes[1]}. A single "
            "query is `query[:, None]`."
        )


def check_texts(texts, argument="texts"):
    """Return a list of strings; raise for the first entry that is not one."""
    if not is_collection(texts):
        raise TypeError(
            f"`{argument}` must be a list of strings. Received: {argument} of "
            f"type `{type(texts).__name__}`. Put a single text into a list."
        )
    texts = list(texts)
    for index, text in enumerate(texts):
        if not isinstance(text, str):
            cure = " Decode bytes first." if isinstance(text, bytes) else ""
            raise TypeError(
                f"`{argument}` must be a list of strings. Received: "
                f"{argument}[{index}] of type `{type(text).__name__}`.{cure}"
            )
    return texts


def is_collection(value):
    """Whether a value can be iterated over and is not a string or bytes."""
    try:
        iter(value)
    except TypeError:
        return False
    return not isinstance(value, (str, bytes))
