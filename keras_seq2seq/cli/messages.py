"""What a command says of errors and warnings: one line each, no colours."""

import contextlib
import os
import re
import sys
import traceback
import warnings

NAME = re.compile(r"`(\w+)`")
COLOUR = re.compile(r"\x1b\[[0-9;]*m")  # Keras writes names in bold


def say(kind: str, problem: object, flags: dict[str, str]) -> None:
    """Print a problem on standard error, in one line.

    Args:
        kind: `"error"` or `"warning"`.
        problem: An exception, or a string.
        flags: Dict of name of an argument -> the option that sets it. Messages
            are written for Python, with names in backticks.
    """
    text = " ".join(plain(str(problem)).split()) or type(problem).__name__
    text = NAME.sub(lambda name: f"`{flags.get(name[1], name[1])}`", text)
    print(f"keras-seq2seq: {kind}: {text}", file=sys.stderr)


def say_traceback() -> None:
    """Print the traceback of the error that is being handled."""
    print(plain(traceback.format_exc()), end="", file=sys.stderr)


def plain(text: str) -> str:
    """A text without the codes that colour it on a terminal."""
    return COLOUR.sub("", text)


@contextlib.contextmanager
def warnings_in_one_line(flags: dict[str, str]):
    """In the block, warnings are said as errors are: without a file's name.

    Args:
        flags: As of `say`. It may be filled later.
    """

    def show(message, category, filename, lineno, file=None, line=None):
        say("warning", message, flags)

    with warnings.catch_warnings():
        warnings.showwarning = show
        yield


def check_streams() -> None:
    """Raise where answers would go nowhere (`>&-`)."""
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")
    if sys.stdout is None:
        raise OSError(
            "Standard output must be open. Received: one that is closed. Send "
            "it to a file, or to /dev/null."
        )
