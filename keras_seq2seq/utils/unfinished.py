"""Hidden folders in which a folder is prepared, and what a kill leaves.

A process holds a lock on its own as long as it lives, and marks it when it is
held; one that is marked and that nobody holds was left behind. Folders that
are not marked are somebody else's, whatever their names.
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
MARK = ".keras_seq2seq"  # an empty file in each
HIDDEN = re.compile(rf"\.(.+)\.\w{{8}}{re.escape(SUFFIX)}", re.DOTALL)
RENAME_EXCHANGE, AT_FDCWD = 2, -100  # linux/fs.h, fcntl.h


@contextlib.contextmanager
def hidden_folder(path):
    """A new folder beside `path`, gone after the block.

    Those that killed processes left beside it are tidied up first.
    """
    tidy(path.parent)
    work = tempfile.mkdtemp(SUFFIX, f".{path.name}.", path.parent)
    work, held = pathlib.Path(work), None
    try:
        held = _hold(work)
        (work / MARK).touch()  # from now on it is tidied up unless it is held
        yield work
    finally:
        _remove(work)
        if held is not None:
            os.close(held)


def tidy(parent):
    """Remove what killed processes left in a folder.

    The only copy of a folder that was to be replaced goes back to its place.
    """
    for work, path in _left_in(parent):
        with contextlib.suppress(OSError):
            _put_back(work, path)
            _remove(work)


def put_back(path):
    """Put the only copy of a folder, left by a killed process, in its place.

    Where `path` is there, or no copy of it, nothing happens.
    """
    path = pathlib.Path(path)
    for work, its_path in _left_in(path.parent):
        if its_path == path:
            with contextlib.suppress(OSError):
                _put_back(work, path)


def exchange(one, other):
    """Swap two folders in one system call; `False` where there is none."""
    if sys.platform != "linux":
        return False
    swap = getattr(ctypes.CDLL(None), "renameat2", None)
    if swap is None:  # an old C library
        return False
    one, other = os.fsencode(one), os.fsencode(other)
    return swap(AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE) == 0


def _left_in(parent):
    """Yield each folder that was left behind, held, and the path it is for."""
    for work in pathlib.Path(parent).glob(f".*{SUFFIX}"):
        found = HIDDEN.fullmatch(work.name)
        with contextlib.suppress(OSError):  # held, or no locks here
            marked = found and (work / MARK).is_file()
            held = _hold(work) if marked else None
            if held is None:
                continue
            try:
                yield work, work.with_name(found[1])
            finally:
                os.close(held)


def _put_back(work, path):
    old = work / "old"
    if old.exists() and not path.exists():
        os.rename(old, path)


def _remove(work):
    """Remove a hidden folder and those in it; the mark goes last."""
    with contextlib.suppress(OSError):
        for folder in work.iterdir():
            shutil.rmtree(folder, ignore_errors=True)
        (work / MARK).unlink(missing_ok=True)
        work.rmdir()


def _hold(folder):
    """Descriptor by which this process alone holds a folder.

    `None` where there are no locks. Raises `BlockingIOError` where another
    process holds it.
    """
    if fcntl is None:
        return None
    # A folder itself: no pipe that waits, no link to elsewhere.
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
    descriptor = os.open(folder, flags)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise
    except OSError:
        os.close(descriptor)
        return None
    return descriptor
