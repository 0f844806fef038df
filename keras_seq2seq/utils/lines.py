"""Lines of text from files."""

from collections.abc import Iterable
from collections.abc import Iterator

BYTE_ORDER_MARK = "\ufeff"
UTF16 = b"\xff\xfe", b"\xfe\xff"  # its byte order marks


def text_lines(
    lines: Iterable[bytes], name: str, argument: str, *, broken: bool = False
) -> Iterator[tuple[int, str | None]]:
    """Number and text of each line of a file opened in binary mode.

    Lines end with `\\n` or `\\r\\n`. A carriage return anywhere else is part of
    the text, and so are the other line separators of `str.splitlines`. A byte
    order mark at the beginning is skipped.

    Args:
        lines: Iterable of bytes, such as a binary file.
        name: String. The file's name, for the error message.
        argument: String. The caller's argument, for the error message.
        broken: Boolean. Whether a single line that is not valid UTF-8 is read
            as `None`. Defaults to `False`: it raises. A file in UTF-16 always
            does.

    Returns:
        Iterator of pairs of a line number, from 1, and a string.
    """
    encoding = "latin1"  # the guess without a byte order mark
    for number, line in enumerate(lines, 1):
        if number == 1 and line.startswith(UTF16):
            encoding = "utf-16"
        line = line.removesuffix(b"\n").removesuffix(b"\r")
        try:
            text = line.decode("utf-8")
        except UnicodeDecodeError as error:
            if broken and encoding != "utf-16":
                yield number, None
                continue
            raise ValueError(
                f"{argument} must be a file in UTF-8. Received: {name}, line "
                f"{number}, not valid from byte {error.start} on. Convert it, "
                f"for instance with `iconv -f {encoding} -t utf-8`."
            ) from error
        yield number, text.removeprefix(BYTE_ORDER_MARK if number == 1 else "")
