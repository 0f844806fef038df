"""Where the pairs of a corpus come from."""

import dataclasses
import hashlib
import os
from collections.abc import Callable
from collections.abc import Iterator
from collections.abc import Sequence

Paths = str | os.PathLike | Sequence[str | os.PathLike]


@dataclasses.dataclass(frozen=True)
class PairReader:
    """Reads the pairs of a corpus, from the beginning each time.

    Args:
        read: Function without arguments that returns an iterator of pairs.
        description: Dict, JSON: how the pairs are read.
        files: Tuple of the paths that are read, or `None` if the pairs are
            not determined by files.
        starts_anew: Boolean. Whether the pairs can be read again.
    """

    read: Callable[[], Iterator[tuple[str, str]]]
    description: dict
    files: tuple | None = None
    starts_anew: bool = True

    def fingerprint(self) -> dict | None:
        """Describe the pairs by the contents of files; `None` without files."""
        if self.files is None:
            return None
        digests = [_digest(path) for path in self.files]
        return {**self.description, "files": digests}


def _digest(path):
    """Hexadecimal hash of the contents of a file."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "blake2b").hexdigest()
