"""Folders that are written whole or not at all."""

import contextlib
import hashlib
import os
import pathlib
import shutil
import tempfile


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
    path.parent.mkdir(parents=True, exist_ok=True)
    work = pathlib.Path(
        tempfile.mkdtemp(prefix=f".{path.name}.", dir=path.parent)
    )
    try:
        new = work / "new"
        new.mkdir()
        yield new
        if path.exists():
            if not replace:
                raise FileExistsError(
                    f"The target must not exist. Received: path={path}. "
                    "Choose another name."
                )
            os.rename(path, work / "old")
        try:
            os.rename(new, path)
        except OSError:
            if (work / "old").exists():
                os.rename(work / "old", path)
            raise
    finally:
        shutil.rmtree(work, ignore_errors=True)


def sha256(path):
    """Hexadecimal SHA-256 of a file's contents."""
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        for block in iter(lambda: file.read(1 << 20), b""):
            digest.update(block)
    return digest.hexdigest()
