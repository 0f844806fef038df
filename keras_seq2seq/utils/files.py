"""Files, and folders that are written atomically."""

import contextlib
import errno
import hashlib
import os
import pathlib
import shutil

from keras_seq2seq.utils.unfinished import exchange
from keras_seq2seq.utils.unfinished import hidden_folder

MOST_TEXT = 2**28  # bytes
FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
PATTERN = {"*", "?", "[", "\\"}  # special in TensorFlow's file patterns


def check_path(path, argument="folder"):
    """Return `path` as a `Path`; raise where it is not a path."""
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(
            f"`{argument}` must be a path. Received: {argument} of type "
            f"`{type(path).__name__}`"
        )
    return pathlib.Path(path)


def check_writable(folder, argument="folder", *, beside=False):
    """Raise unless `folder` can be written to or created.

    Args:
        folder: Path.
        argument: String. The name of the argument, for the error message.
        beside: Boolean. Whether the parent folder must be writable too.
    """
    for path in (folder, folder.parent) if beside else (folder,):
        nearest = next(p for p in (path, *path.parents) if p.exists())
        if not nearest.is_dir() or not os.access(nearest, os.W_OK | os.X_OK):
            problem = (
                "cannot be written to" if nearest.is_dir() else "is a file"
            )
            raise OSError(
                f"`{argument}` must be a folder to write to, or a new one. "
                f"Received: {argument}={str(folder)!r}, where {nearest} "
                f"{problem}. Choose another folder."
            )
    return folder


def check_file_target(path, argument="path"):
    """Return a `Path`; raise unless a file can be written to it."""
    path = check_path(path, argument)
    if path.is_dir() or not path.parent.is_dir():
        problem = "is a folder" if path.is_dir() else "has no parent folder"
        raise OSError(
            f"`{argument}` must be a file to write, in a folder that exists. "
            f"Received: {argument}={str(path)!r}, which {problem}. Choose "
            "another path."
        )
    return path


def check_readable_file(path, argument="path"):
    """Raise unless `path` is a file to read, or a pipe or device."""
    path = check_path(path, argument)
    if path.exists() and not path.is_dir():
        return path
    kind, problem = (
        (IsADirectoryError, "is a folder")
        if path.exists()
        else (FileNotFoundError, "does not exist")
    )
    raise kind(
        f"`{argument}` must be a file. Received: {path}, which {problem}. "
        "Choose another path."
    )


def check_regular_file(path, argument="path"):
    """Raise unless `path` is a file that can be read more than once."""
    path = check_readable_file(path, argument)
    if not path.is_file():
        raise OSError(
            f"`{argument}` must be a file, which is read several times. "
            f"Received: {path}, a pipe or device. Write its contents to a file."
        )
    return path


def check_plain(path, argument="folder"):
    """Raise where TensorFlow would read `path` as a file pattern."""
    text = str(path)
    is_text = text.encode(errors="replace").decode() == text
    if not is_text or PATTERN & {*text}:
        raise ValueError(
            f"`{argument}` must be UTF-8 without any of {sorted(PATTERN)}, "
            "which TensorFlow reads as a pattern, or it could not be loaded. "
            f"Received: {argument}={text!r}. Choose another path."
        )
    return path


@contextlib.contextmanager
def atomic_folder(path, *, replace=False):
    """Context manager that yields a folder and renames it to `path` at the end.

    The folder is written beside `path`, so a half-written `path` is never
    visible. If the block fails, or the process is killed, `path` stays as it
    was.

    Args:
        path: Path of the final folder.
        replace: Boolean. Whether an existing folder is replaced. Defaults to
            `False`, which raises `FileExistsError`.
    """
    path = pathlib.Path(path).absolute()
    with _new_folder(path.parent), hidden_folder(path) as work:
        new = work / "new"
        new.mkdir()
        yield new
        if replace and path.exists():
            _replace(path, new, work / "old")
        else:
            _create(path, new)


def _create(path, new):
    """Give the folder `new` the name `path`, which must be free."""
    try:
        if not path.exists():
            return os.rename(new, path)
    except OSError:
        if not path.exists():  # else another process has just made it
            raise
    raise FileExistsError(
        f"The target must not exist. Received: path={path}. "
        "Choose another name."
    )


def _replace(path, new, old):
    """Replace the folder `path` by the folder `new`."""
    if exchange(new, path):
        return
    os.rename(path, old)  # after a kill here `tidy` restores `old`
    try:
        os.rename(new, path)
    except OSError:
        os.rename(old, path)
        raise


@contextlib.contextmanager
def _new_folder(folder):
    """Create a folder and its parents; remove them if the block fails."""
    made = [path for path in (folder, *folder.parents) if not path.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    try:
        yield
    except BaseException:
        for path in made:
            with contextlib.suppress(OSError):
                path.rmdir()
        raise


@contextlib.contextmanager
def full_disk(path, argument):
    """Context manager that says which path had no space."""
    try:
        yield
    except OSError as error:
        if error.errno not in FULL:
            raise
        raise OSError(
            f"`{argument}` must be on a disk with enough space. Received: "
            f"{argument}={str(path)!r} ({error.strerror}). Free some space, or "
            "choose another path."
        ) from error


@contextlib.contextmanager
def new_file(path, argument="path", *, mode="w"):
    """Context manager: a file that replaces `path` when it is complete.

    If the block fails, or the process is killed, an existing file stays as it
    was. What is no regular file, such as a pipe or `/dev/null`, is written to.

    Args:
        path: Path, in a folder that exists.
        argument: String. The name of the argument, for error messages.
        mode: String, `"w"` for text in UTF-8 or `"wb"` for bytes. Defaults to
            `"w"`.
    """
    path = pathlib.Path(path)
    text = {} if mode == "wb" else {"encoding": "utf-8", "newline": "\n"}
    with full_disk(path, argument):
        if path.exists() and not path.is_file():
            with open(path, mode, **text) as file:
                yield file
            return
        path = path.resolve()  # a link stays one
        with hidden_folder(path) as work:
            new = work / "new" / path.name
            new.parent.mkdir()  # only folders are removed
            with open(new, mode, **text) as file:
                yield file
            if path.exists():
                shutil.copymode(path, new)
            os.replace(new, path)


def read_text(path, most=MOST_TEXT):
    """Text of a regular file; pipes and devices, which may block, raise.

    Args:
        path: Path.
        most: Integer. Largest size in bytes. Defaults to 256 MiB.
    """
    path = pathlib.Path(path)
    if path.exists() and not path.is_file():
        raise OSError(f"{path.name} is not a regular file")
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
