"""The command line, as a model card shows it."""

import contextlib
import contextvars
import os
import shlex

CURRENT = contextvars.ContextVar("arguments", default=None)


@contextlib.contextmanager
def running(arguments):
    """Context manager that runs a command with these arguments."""
    token = CURRENT.set([*arguments])
    try:
        yield
    finally:
        CURRENT.reset(token)


def shown_command() -> str | None:
    """The command that is running, or `None`; absolute paths are shortened."""
    arguments = CURRENT.get()
    if arguments is None:
        return None
    return shlex.join(["keras-seq2seq", *map(shorten_path, arguments)])


def shorten_path(argument):
    """Replace an absolute path, perhaps after `=`, by its last part."""
    name, equals, path = argument.rpartition("=")
    if not os.path.isabs(path):
        return argument
    return f"{name}{equals}{os.path.basename(os.path.normpath(path))}"
