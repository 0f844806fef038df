"""Folders that are written whole or not at all."""

import contextlib
import hashlib
import os
import pathlib
import tempfile


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


@contextlib.contextmanager
def whole_folder(path, *, replace=False):
    """Folder to write into that becomes `path` when the block ends well.

    Written beside `path` and renamed, so nobody sees half of it. Where the
    block fails, `path` stays as it was.

    Args:
        path: Path of the folder to come.
        replace: Boolean. Whether a folder that is there may be replaced.
            Defaults to `False`: that raises `FileExistsError`.
    """
    path = pathlib.Path(path).absolute()
    with (
        _made(path.parent),
        tempfile.TemporaryDirectory(
            prefix=f".{path.name}.",
            dir=path.parent,
            ignore_cleanup_errors=True,
        ) as work,
    ):
        new, old = pathlib.Path(work, "new"), pathlib.Path(work, "old")
        new.mkdir()
        yield new
        if path.exists():
            if not replace:
                raise FileExistsError(
                    f"The target must not exist. Received: path={path}. "
                    "Choose another name."
                )
            os.rename(path, old)
        try:
            os.rename(new, path)
        except OSError:
            if old.exists():
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


def sha256(path):
    """Hexadecimal SHA-256 of a file's contents."""
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        for block in iter(lambda: file.read(1 << 20), b""):
            digest.update(block)
    return digest.hexdigest()
