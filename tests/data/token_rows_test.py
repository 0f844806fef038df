import json
import zlib

import numpy as np
import pytest

from keras_seq2seq.data import TokenRows
from keras_seq2seq.data.token_rows_writer import TokenRowsWriter

ROWS = [[4, 5, 6], [], [7], [4] * 9, []]


def lists(rows):
    return [row.tolist() for row in rows]


def write(folder, *parts, size=100):
    with TokenRowsWriter(folder, size) as writer:
        for part in parts:
            writer.write(part)
    return TokenRows.open(folder)


def check(rows):
    assert len(rows) == 5 and lists(rows) == ROWS
    assert rows.lengths.tolist() == [3, 0, 1, 9, 0]
    assert rows.lengths.dtype == "int32"
    assert rows[3].tolist() == [4] * 9 and rows[-3].tolist() == [7]
    assert lists(rows[1:3]) == [[], [7]]
    assert lists(rows.take(np.array([2, 0, 2]))) == [[7], [4, 5, 6], [7]]


def test_in_memory():
    check(TokenRows.from_rows(ROWS))
    check(TokenRows.from_rows(map(np.array, ROWS)))
    assert len(TokenRows.from_rows([])) == 0


@pytest.mark.parametrize(("size", "itemsize"), [(2**16, 2), (2**16 + 1, 4)])
def test_in_files(tmp_path, size, itemsize):
    rows = write(tmp_path / "rows", ROWS[:2], [], ROWS[2:], size=size)
    check(rows)
    assert (tmp_path / "rows" / "ids").stat().st_size == 13 * itemsize
    largest = write(tmp_path / "largest", [[size - 1]], size=size)
    assert lists(largest) == [[size - 1]]


@pytest.mark.parametrize("rows", [[], [[], []]])
def test_files_without_ids(tmp_path, rows):
    assert lists(write(tmp_path / "rows", rows)) == rows


def test_damaged_files(tmp_path):
    write(tmp_path / "rows", ROWS)
    path = tmp_path / "rows" / "ids"
    path.write_bytes(path.read_bytes()[:-2])
    with pytest.raises(ValueError, match="must have 26 bytes.* file of 24"):
        TokenRows.open(tmp_path / "rows")


def test_a_failed_writer_leaves_no_rows(tmp_path):
    with pytest.raises(ValueError, match="32 bits"):
        write(tmp_path / "rows", ROWS, [[2**40]])
    with pytest.raises(FileNotFoundError):
        TokenRows.open(tmp_path / "rows")


def test_meta(tmp_path):
    write(tmp_path / "rows", ROWS)
    meta = json.loads((tmp_path / "rows" / "rows.json").read_text())
    checksums = {
        name: zlib.crc32((tmp_path / "rows" / name).read_bytes())
        for name in ("ids", "offsets")
    }
    assert meta == {
        "rows": 5,
        "tokens": 13,
        "dtype": "uint16",
        "crc32": checksums,
    }
