"""Folders that are written whole or not at all."""

import contextlib
import hashlib
import os
import pathlib

from keras_seq2seq.utils.unfinished import exchange
from keras_seq2seq.utils.unfinished import hidden_folder

MOST_TEXT = 2**28  # bytes
PATTERN = {"*", "?", "[", "\\"}  # where TensorFlow looks for files


def check_path(path, argument="folder"):
    """`path` as a `Path`, or an error that names the argument."""
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(
            f"`{argument}` must be a path. Received: {argument} of type "
            f"`{type(path).__name__}`"
        )
    return pathlib.Path(path)


def check_writable(folder, argument="folder", *, beside=False):
    """Raise unless `folder`, a `Path`, is a folder to write to or a new one.

    Args:
        folder: Path.
        argument: String, its name in the error.
        beside: Boolean. Whether the folder around it must be writable too.
    """
    for place in (folder, folder.parent) if beside else (folder,):
        nearest = next(p for p in (place, *place.parents) if p.exists())
        if not nearest.is_dir() or not os.access(nearest, os.W_OK | os.X_OK):
            problem = (
                "cannot be written to" if nearest.is_dir() else "is a file"
            )
            raise OSError(
                f"`{argument}` must be a folder to write to, or a new one. "
                f"Received: {argument}={str(folder)!r}, where {nearest} "
                f"{problem}. Choose another place."
            )
    return folder


def check_plain(path, argument="folder"):
    """Raise unless TensorFlow takes `path` for one path, and no pattern."""
    text = str(path)
    is_text = text.encode(errors="replace").decode() == text
    if not is_text or PATTERN & {*text}:
        raise ValueError(
            f"`{argument}` must be UTF-8 without any of {sorted(PATTERN)}, "
            "which TensorFlow reads as a pattern, or it could not be loaded. "
            f"Received: {argument}={text!r}. Choose another place."
        )
    return path


@contextlib.contextmanager
def whole_folder(path, *, replace=False):
    """Folder to write into that becomes `path` when the block ends well.

    Written beside `path` and renamed, so nobody sees half of it. Where the
    block fails, or the process is killed, `path` stays as it was.

    Args:
        path: Path of the folder to come.
        replace: Boolean. Whether a folder that is there may be replaced.
            Defaults to `False`: that raises `FileExistsError`.
    """
    path = pathlib.Path(path).absolute()
    with _made(path.parent), hidden_folder(path) as work:
        new = work / "new"
        new.mkdir()
        yield new
        if not path.exists():
            os.rename(new, path)
        elif replace:
            _replace(path, new, work / "old")
        else:
            raise FileExistsError(
                f"The target must not exist. Received: path={path}. "
                "Choose another name."
            )


def _replace(path, new, old):
    """Put `new` in the place of `path`."""
    if exchange(new, path):
        return
    os.rename(path, old)  # a kill here: `tidy` takes it back
    try:
        os.rename(new, path)
    except OSError:
        os.rename(old, path)
        raise


@contextlib.contextmanager
def _made(folder):
    """Make a folder and its parents; where the block fails, unmake them."""
    made = [path for path in (folder, *folder.parents) if not path.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    try:
        yield
    except BaseException:
        for path in made:
            with contextlib.suppress(OSError):
                path.rmdir()
        raise


def read_text(path, most=MOST_TEXT):
    """The text of a file that is one: no pipe that waits, no endless device.

    Args:
        path: Path.
        most: Integer. Bytes that it may have. Defaults to 256 MiB.
    """
    path = pathlib.Path(path)
    if path.exists() and not path.is_file():
        raise OSError(f"{path.name} is no regular file")
    size = path.stat().st_size
    if size > most:
        raise OSError(f"{path.name} has {size:,} bytes, more than {most:,}")
    with open(path, "rb") as file:
        return file.read(size).decode("utf-8")


def sha256(path):
    """Hexadecimal SHA-256 of a file's contents."""
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        for block in iter(lambda: file.read(1 << 20), b""):
            digest.update(block)
    return digest.hexdigest()
