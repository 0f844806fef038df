"""Conversions between Python strings and UTF-8 bytes in TensorFlow."""

import re

REPLACEMENT_CHARACTER = "\ufffd"
_SURROGATES = re.compile("[\ud800-\udfff]")


def check_text(text, name="text"):
    """Raise unless `text` is a `str`; `name` is for the error message."""
    if not isinstance(text, str):
        raise TypeError(
            f"`{name}` must be a string. "
            f"Received: {name} of type {type(text).__name__}. "
            "Decode bytes with `.decode()`, turn other values into text with "
            "`str()`, and leave out missing ones."
        )


def replace_surrogates(text: str) -> str:
    """Replace every surrogate code point by U+FFFD."""
    return _SURROGATES.sub(REPLACEMENT_CHARACTER, text)


def to_utf8(text: str) -> bytes:
    """UTF-8 bytes of a string, as the TensorFlow graph receives them.

    A Python string may have surrogates, which UTF-8 cannot encode. Each becomes
    U+FFFD, as in `Tokenizer.encode`.

    Args:
        text: String.

    Returns:
        Valid UTF-8 bytes.

    Example:

    >>> k2s.text.to_utf8("a\\ud800")
    b'a\\xef\\xbf\\xbd'
    """
    check_text(text)
    return replace_surrogates(text).encode("utf-8")
