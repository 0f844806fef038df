"""Rows of token ids in one array."""

import json
import pathlib
import zlib
from collections.abc import Iterable
from collections.abc import Sequence

import numpy as np

from keras_seq2seq.utils.chunks import chunks
from keras_seq2seq.utils.files import read_text
from keras_seq2seq.utils.token_ids import LARGEST

META = "rows.json"  # written last
CHUNK = 4096  # rows


class TokenRows(Sequence):
    """Rows of token ids of any lengths, in one array.

    A row takes as many bytes as its ids, where a list of Python integers takes
    eight times as many and more. The arrays may be memory-mapped files, whose
    pages the operating system loads and drops as needed, and which processes
    share.

    An index returns a row, an integer array; `take(indices)` returns other
    rows, without a copy of the ids.

    - `from_rows(rows)` creates it from lists of ids.
    - `open(folder)` maps the files that a `TokenRowsWriter` wrote, once their
      checksums are right.

    Args:
        token_ids: Integer array of shape `(tokens,)`.
        starts, ends: Integer arrays of shape `(rows,)`: row `i` is
            `token_ids[starts[i] : ends[i]]`.

    Example:

    >>> rows = k2s.data.TokenRows.from_rows([[4, 5], [], [6]])
    >>> len(rows), rows.lengths.tolist(), rows[0].tolist()
    (3, [2, 0, 1], [4, 5])
    """

    def __init__(self, token_ids, starts, ends):
        self.token_ids, self.starts, self.ends = token_ids, starts, ends

    @classmethod
    def from_rows(cls, rows: Iterable[Sequence[int]]) -> "TokenRows":
        parts, lengths = [], []
        for chunk in chunks(rows, CHUNK):
            parts.append(flatten_token_ids(chunk))
            lengths += map(len, chunk)
        token_ids = np.concatenate(parts) if parts else np.zeros(0, "int32")
        offsets = np.append(0, np.cumsum(lengths, dtype="int64"))
        return cls(token_ids, offsets[:-1], offsets[1:])

    @classmethod
    def open(cls, folder) -> "TokenRows":
        folder = pathlib.Path(folder)
        meta = json.loads(read_text(folder / META))
        token_ids = _map(folder / "ids", meta["dtype"], meta["tokens"])
        offsets = _map(folder / "offsets", "int64", meta["rows"] + 1)
        for name, array in (("ids", token_ids), ("offsets", offsets)):
            if zlib.crc32(array) != meta["crc32"][name]:
                raise ValueError(
                    f"{name} must be as they were written. Received: a file "
                    "with another checksum. Remove its folder, and encode the "
                    "corpus again."
                )
        return cls(token_ids, offsets[:-1], offsets[1:])

    @property
    def lengths(self) -> np.ndarray:
        """Number of ids of each row: int32 array of shape `(rows,)`."""
        return (self.ends - self.starts).astype("int32")

    def take(self, indices) -> "TokenRows":
        return TokenRows(
            self.token_ids, self.starts[indices], self.ends[indices]
        )

    def __len__(self) -> int:
        return len(self.starts)

    def __getitem__(self, index):
        if isinstance(index, slice):
            return self.take(index)
        return self.token_ids[self.starts[index] : self.ends[index]]

    def __iter__(self):
        for start, end in zip(self.starts, self.ends):
            yield self.token_ids[start:end]

    def __repr__(self) -> str:
        return f"TokenRows({len(self):,} rows, {self.lengths.sum():,} tokens)"


def row_lengths(rows: Sequence) -> np.ndarray:
    """Length of each row: int32 array of shape `(rows,)`."""
    if isinstance(rows, TokenRows):
        return rows.lengths
    return np.fromiter(map(len, rows), "int32", len(rows))


def flatten_token_ids(rows: Sequence[Sequence[int]]) -> np.ndarray:
    """Concatenate rows of ids to an int32 array; raise beyond 32 bits."""
    rows = [np.asarray(row, "int64") for row in rows]
    flat = np.concatenate(rows) if rows else np.zeros(0, "int64")
    if flat.size and np.max(np.abs(flat)) > LARGEST:
        raise ValueError(
            "`token_ids` must fit into 32 bits. Received: the id "
            f"{flat[np.argmax(np.abs(flat))]}"
        )
    return flat.astype("int32")


def _map(path, dtype, size):
    """Map a file as an array; raise where its size is another."""
    expected = size * np.dtype(dtype).itemsize
    received = path.stat().st_size
    if received != expected:
        raise ValueError(
            f"{path.name} must have {expected:,} bytes. Received: a file of "
            f"{received:,}. Remove its folder, and encode the corpus again."
        )
    if not size:  # an empty file cannot be mapped
        return np.zeros(0, dtype)
    # Slices of a plain array are faster than those of an `np.memmap`.
    return np.memmap(path, dtype, "r", shape=(size,)).view(np.ndarray)
