"""The command `keras-seq2seq`, which Ctrl-C ends in one line from the start.

A module beside the package: to import anything of the package is to import
Keras first, which takes seconds, and which needs to know its backend. The
package imports it before all else: `python -m keras_seq2seq` is this command.
"""

import contextlib
import functools
import importlib.util
import os
import re
import signal
import sys
import tempfile

BACKENDS = ("tensorflow", "jax", "torch")
LOG = re.compile(
    rb"[IW]\d{4} .*\.cc:\d+\]|WARNING: All log messages before absl::"
)


def main() -> None:
    """Run one command and exit with its status."""
    before, show_stderr = _prepared()
    from keras_seq2seq.cli.main import main as run

    show_stderr()
    signal.signal(signal.SIGINT, before)
    run()


@functools.cache  # Python imports the package before it runs it
def _prepared():
    """What must be set before Keras is imported; gives what to undo after it.

    The handler of Ctrl-C that was there, and a function that ends the filter
    of stderr: both are the command's until Keras is there.
    """
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.SIG_IGN:  # as `nohup` and `&` in a script set it
        signal.signal(signal.SIGINT, _interrupted)
    if sys.argv[1:2] == ["train"]:
        # Keras takes seconds to load, and who trains waits for a sign of life.
        print("Loading Keras", file=sys.stderr, flush=True)
    wanted = _backend(sys.argv[1:])
    if wanted is not None:
        os.environ["KERAS_BACKEND"] = wanted
    # Or TensorFlow reports its CPU, as it does at its import whatever is set.
    level = os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    can_filter = sys.stderr is not None and hasattr(os, "fork")
    filters = level == "3" and can_filter
    show_stderr = _filter_stderr() if filters else lambda: None
    # JAX reads it when it is imported; what it compiled is there next time.
    os.environ.setdefault("JAX_COMPILATION_CACHE_DIR", _cache())
    return before, show_stderr


def _is_running_package():
    """Whether this is `python -m keras_seq2seq`, while it is imported."""
    if sys.argv[:1] != ["-m"]:  # what Python says until it knows the file
        return False
    return sys.orig_argv[-len(sys.argv)].endswith("keras_seq2seq")


def _backend(arguments):
    """The backend of `--backend`; `None` without one that could be imported.

    The command says what is wrong, once it is there.
    """
    for place, argument in enumerate(arguments):
        name, _, value = argument.partition("=")
        if argument == "--backend":
            value = next(iter(arguments[place + 1 : place + 2]), "")
        if name == "--backend" and value in BACKENDS:
            return value if importlib.util.find_spec(value) else None
    return None


def _cache():
    """Folder in Keras's own, wherever that is."""
    home = os.path.expanduser("~")
    base = home if os.access(home, os.W_OK) else tempfile.gettempdir()
    keras_home = os.environ.get("KERAS_HOME", os.path.join(base, ".keras"))
    return os.path.join(keras_home, "keras_seq2seq", "jax")


def _filter_stderr():
    """Leave out TensorFlow's log lines; gives a function that ends that.

    They are written in C++. A process of its own filters them, so that the
    last words of a crash are seen.
    """
    stderr = os.dup(2)
    reads, writes = os.pipe()
    child = os.fork()
    if not child:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # it ends with its input
        os.close(writes)
        with open(reads, "rb") as lines, contextlib.suppress(OSError):
            for line in lines:
                if not LOG.match(line):
                    os.write(stderr, line)
        os._exit(0)
    os.close(reads)
    os.dup2(writes, 2)
    os.close(writes)

    def show_stderr():
        os.dup2(stderr, 2)
        os.close(stderr)
        os.waitpid(child, 0)  # all lines before the next one

    return show_stderr


def _interrupted(signum, frame):
    # At once: an exception would come out of half imported modules.
    with contextlib.suppress(OSError):
        os.write(2, b"keras-seq2seq: interrupted\n")
    os._exit(130)


if _is_running_package():
    _prepared()
