"""Errors and warnings, printed in one line each and without colours."""

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
        flags: Dict of name of an argument -> option that sets it. It replaces
            the names in messages, which are written for Python.
    """
    text = " ".join(plain(str(problem)).split()) or type(problem).__name__
    text = NAME.sub(lambda name: f"`{flags.get(name[1], name[1])}`", text)
    print(f"keras-seq2seq: {kind}: {text}", file=sys.stderr)


def say_traceback() -> None:
    """Print the traceback of the current error."""
    print(plain(traceback.format_exc()), end="", file=sys.stderr)


def plain(text: str) -> str:
    """Remove the codes for colours on a terminal from a text."""
    return COLOUR.sub("", text)


@contextlib.contextmanager
def warnings_in_one_line(flags: dict[str, str]):
    """Print warnings in the same form as errors, without a file name.

    Args:
        flags: As for `say`. It may be filled later.
    """

    def show(message, category, filename, lineno, file=None, line=None):
        say("warning", message, flags)

    with warnings.catch_warnings():
        warnings.showwarning = show
        yield


def check_streams() -> None:
    """Raise if standard output is closed (`>&-`)."""
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")
    if sys.stdout is None:
        raise OSError(
            "Standard output must be open. Received: a closed one. Redirect it "
            "to a file, or to /dev/null."
        )
