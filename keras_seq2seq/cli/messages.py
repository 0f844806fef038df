"""What a command says of errors and warnings: one line each, no colours."""

import contextlib
import os
import re
import sys
import traceback
import warnings

COLOUR = re.compile(r"\x1b\[[0-9;]*m")  # Keras writes names in bold


def say(kind: str, problem: object) -> None:
    """Print a problem on standard error, in one line."""
    text = " ".join(plain(str(problem)).split()) or type(problem).__name__
    print(f"keras-seq2seq: {kind}: {text}", file=sys.stderr)


def say_traceback() -> None:
    """Print the traceback of the error that is being handled."""
    print(plain(traceback.format_exc()), end="", file=sys.stderr)


def plain(text: str) -> str:
    """A text without the codes that colour it on a terminal."""
    return COLOUR.sub("", text)


@contextlib.contextmanager
def warnings_in_one_line():
    """In the block, warnings are said as errors are: without a file's name."""

    def show(message, category, filename, lineno, file=None, line=None):
        say("warning", message)

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
