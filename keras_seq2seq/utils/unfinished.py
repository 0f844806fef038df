"""Hidden folders in which a folder is prepared, and what a kill leaves.

A process holds a lock on its own as long as it lives; one that nobody holds
was left behind.
"""

import contextlib
import ctypes
import os
import pathlib
import re
import shutil
import sys
import tempfile

try:
    import fcntl
except ImportError:  # Windows: nothing is held there, and nothing tidied up
    fcntl = None

SUFFIX = ".part"
HIDDEN = re.compile(rf"\.(.+)\.\w{{8}}{re.escape(SUFFIX)}", re.DOTALL)
RENAME_EXCHANGE, AT_FDCWD = 2, -100  # linux/fs.h, fcntl.h


@contextlib.contextmanager
def hidden_folder(path):
    """A new folder beside `path`, gone after the block.

    Those that killed processes left beside it are tidied up first.
    """
    tidy(path.parent)
    work, held = _new(path)
    try:
        yield work
    finally:
        shutil.rmtree(work, ignore_errors=True)
        if held is not None:
            os.close(held)


def tidy(parent):
    """Remove what killed processes left in a folder.

    The only copy of a folder that was to be replaced goes back to its place.
    """
    for work in pathlib.Path(parent).glob(f".*{SUFFIX}"):
        found = HIDDEN.fullmatch(work.name)
        with contextlib.suppress(OSError):  # held, or no locks here
            held = _hold(work) if found else None
            if held is None:
                continue
            old, path = work / "old", work.with_name(found[1])
            if old.exists() and not path.exists():
                os.rename(old, path)
            shutil.rmtree(work, ignore_errors=True)
            os.close(held)


def exchange(one, other):
    """Swap two folders in one system call; `False` where there is none."""
    if sys.platform != "linux":
        return False
    swap = getattr(ctypes.CDLL(None), "renameat2", None)
    if swap is None:  # an old C library
        return False
    one, other = os.fsencode(one), os.fsencode(other)
    return swap(AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE) == 0


def _new(path):
    """A hidden folder for `path`, and the descriptor that holds it."""
    while True:
        work = tempfile.mkdtemp(SUFFIX, f".{path.name}.", path.parent)
        # Before it was held, another process may have tidied it up.
        with contextlib.suppress(BlockingIOError, FileNotFoundError):
            held = _hold(work)
            if held is None or os.path.exists(work):
                return pathlib.Path(work), held
            os.close(held)


def _hold(folder):
    """Descriptor by which this process alone holds a folder.

    `None` where there are no locks. Raises `BlockingIOError` where another
    process holds it.
    """
    if fcntl is None:
        return None
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise
    except OSError:
        os.close(descriptor)
        return None
    return descriptor
