"""What a Python string and the bytes of a TensorFlow string agree on."""

import re

REPLACEMENT_CHARACTER = "\ufffd"
_SURROGATES = re.compile("[\ud800-\udfff]")


def check_text(text, name="text"):
    """Raises unless `text` is a `str`; `name` is the argument to blame."""
    if not isinstance(text, str):
        raise TypeError(
            f"`{name}` must be a string. "
            f"Received: {name} of type {type(text).__name__}. "
            "Decode bytes with `.decode()`, turn other values into text with "
            "`str()`, and leave out missing ones."
        )


def replace_surrogates(text: str) -> str:
    """Text in which every surrogate code point has become U+FFFD."""
    return _SURROGATES.sub(REPLACEMENT_CHARACTER, text)


def to_utf8(text: str) -> bytes:
    """UTF-8 bytes of a string, as the TensorFlow graph receives them.

    A Python string may hold surrogates, which UTF-8 cannot express; each
    becomes U+FFFD, as it does in `Tokenizer.encode`.

    Args:
        text: String.

    Returns:
        Bytes that are valid UTF-8.

    Example:

    >>> k2s.text.to_utf8("a\\ud800")
    b'a\\xef\\xbf\\xbd'
    """
    check_text(text)
    return replace_surrogates(text).encode("utf-8")
