"""Writes rows of token ids to files."""

import json
import pathlib
import zlib
from collections.abc import Sequence

import numpy as np

from keras_seq2seq.data.token_rows import META
from keras_seq2seq.data.token_rows import flatten_token_ids


class TokenRowsWriter:
    """Context manager that writes rows of ids to the files of a folder.

    Rows are written as they come, so memory does not grow with their number.

    Args:
        folder: Path of a new folder.
        vocabulary_size: Integer. Ids are below it; up to 65,536 they take two
            bytes each, otherwise four.
    """

    def __init__(self, folder, vocabulary_size: int):
        self.folder = pathlib.Path(folder)
        self.dtype = "uint16" if vocabulary_size <= 2**16 else "uint32"
        self.rows = self.tokens = 0
        self._checksums = {"ids": 0, "offsets": 0}

    def __enter__(self):
        self.folder.mkdir(parents=True)
        self._ids = open(self.folder / "ids", "wb")
        self._offsets = open(self.folder / "offsets", "wb")
        self._append(self._offsets, np.zeros(1, "int64"))
        return self

    def write(self, rows: Sequence[Sequence[int]]) -> None:
        ends = self.tokens + np.cumsum(
            [len(ids) for ids in rows], dtype="int64"
        )
        self._append(self._ids, flatten_token_ids(rows).astype(self.dtype))
        self._append(self._offsets, ends)
        self.rows += len(rows)
        self.tokens = int(ends[-1]) if len(rows) else self.tokens

    def _append(self, file, array):
        # Not `tofile`, whose error on a full disk does not say so.
        data = array.tobytes()
        file.write(data)
        name = pathlib.Path(file.name).name
        self._checksums[name] = zlib.crc32(data, self._checksums[name])

    def __exit__(self, kind, error, traceback):
        self._ids.close()
        self._offsets.close()
        if kind is None:
            meta = {
                "rows": self.rows,
                "tokens": self.tokens,
                "dtype": self.dtype,
                "crc32": self._checksums,
            }
            (self.folder / META).write_text(json.dumps(meta), "utf-8")
