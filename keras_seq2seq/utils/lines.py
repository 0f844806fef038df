"""Lines of text from files."""

from collections.abc import Iterable
from collections.abc import Iterator

BYTE_ORDER_MARK = "\ufeff"
UTF16 = b"\xff\xfe", b"\xfe\xff"  # the same mark, in either order of bytes


def text_lines(
    lines: Iterable[bytes], name: str, argument: str
) -> Iterator[tuple[int, str]]:
    """Number and text of each line of a file that was opened in binary.

    A line ends with a newline, or a carriage return and a newline. A carriage
    return anywhere else is part of the text, as are the other characters that
    `str.splitlines` divides at. A byte order mark in front of all is skipped.

    Args:
        lines: Iterable of bytes, as a binary file gives them.
        name: String, the file's name in an error.
        argument: String, what the file was given as.

    Returns:
        Iterator of pairs of an integer, from 1 on, and a string.
    """
    encoding = "latin1"  # where a file does not say that it is another
    for number, line in enumerate(lines, 1):
        if number == 1 and line.startswith(UTF16):
            encoding = "utf-16"
        line = line.removesuffix(b"\n").removesuffix(b"\r")
        try:
            text = line.decode("utf-8")
        except UnicodeDecodeError as error:
            raise ValueError(
                f"{argument} must be a file in UTF-8. Received: {name}, line "
                f"{number}, not valid from byte {error.start} on. Convert it, "
                f"for instance with `iconv -f {encoding} -t utf-8`."
            ) from error
        yield number, text.removeprefix(BYTE_ORDER_MARK if number == 1 else "")
