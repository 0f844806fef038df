"""Hidden working folders, and the cleanup of those left by killed processes.

A process locks its working folder for as long as it lives, and then creates a
marker file in it. A folder with a marker and without a lock was left behind by
a killed process. A folder without a marker belongs to somebody else, whatever
its name, and is never touched.
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
except ImportError:  # Windows: no locks, so no cleanup either
    fcntl = None

SUFFIX = ".part"
MARKER = ".keras_seq2seq"  # an empty file
HIDDEN = re.compile(rf"\.(.+)\.\w{{8}}{re.escape(SUFFIX)}", re.DOTALL)
RENAME_EXCHANGE, AT_FDCWD = 2, -100  # linux/fs.h, fcntl.h


@contextlib.contextmanager
def hidden_folder(path):
    """Context manager: a new hidden folder beside `path`, removed at the end.

    Folders that killed processes left beside it are cleaned up first.
    """
    tidy(path.parent)
    work = tempfile.mkdtemp(SUFFIX, f".{path.name}.", path.parent)
    work, lock = pathlib.Path(work), None
    try:
        lock = _lock(work)
        (work / MARKER).touch()  # without a lock it is now cleaned up
        yield work
    finally:
        _remove(work)
        if lock is not None:
            os.close(lock)


def tidy(parent):
    """Remove the working folders that killed processes left in `parent`.

    If one holds the only copy of a folder that was being replaced, the copy is
    restored first.
    """
    for work, path in _left_behind(parent):
        with contextlib.suppress(OSError):
            _put_back(work, path)
            _remove(work)


def put_back(path):
    """Restore the only copy of `path`, left behind by a killed process.

    Does nothing if `path` exists or has no copy.
    """
    path = pathlib.Path(path)
    for work, its_path in _left_behind(path.parent):
        if its_path == path:
            with contextlib.suppress(OSError):
                _put_back(work, path)


def exchange(one, other):
    """Swap two folders in one system call; `False` if there is no such call."""
    if sys.platform != "linux":
        return False
    swap = getattr(ctypes.CDLL(None), "renameat2", None)
    if swap is None:  # an old C library
        return False
    one, other = os.fsencode(one), os.fsencode(other)
    return swap(AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE) == 0


def _left_behind(parent):
    """Yield each folder left behind, locked, and the path it was meant for."""
    for work in pathlib.Path(parent).glob(f".*{SUFFIX}"):
        match = HIDDEN.fullmatch(work.name)
        with contextlib.suppress(OSError):  # locked, or locks not supported
            marked = match and (work / MARKER).is_file()
            lock = _lock(work) if marked else None
            if lock is None:
                continue
            try:
                yield work, work.with_name(match[1])
            finally:
                os.close(lock)


def _put_back(work, path):
    old = work / "old"
    if old.exists() and not path.exists():
        os.rename(old, path)


def _remove(work):
    """Remove a working folder and its contents, the marker last."""
    with contextlib.suppress(OSError):
        for folder in work.iterdir():
            shutil.rmtree(folder, ignore_errors=True)
        (work / MARKER).unlink(missing_ok=True)
        work.rmdir()


def _lock(folder):
    """Lock a folder and return the descriptor that holds the lock.

    `None` where locks are not supported. Raises `BlockingIOError` if another
    process holds the lock.
    """
    if fcntl is None:
        return None
    # Only a folder: opening a pipe may block, a link may lead elsewhere.
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
