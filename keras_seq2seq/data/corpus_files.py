"""Reads pairs of texts from plain or gzipped files."""

import contextlib
import gzip
import itertools
import json
import os
import zlib
from collections.abc import Iterator
from collections.abc import Mapping

from keras_seq2seq.utils.files import check_readable_file
from keras_seq2seq.utils.lines import text_lines

GZIP = b"\x1f\x8b"  # first bytes of a gzipped file, invalid in UTF-8


def aligned_pairs(source, target) -> Iterator[tuple[str, str]]:
    """Read pairs from two files, or two lists of files, line by line.

    Args:
        source, target: Path, or list of paths. Both must have the same number
            of files, and corresponding files the same number of lines.
    """
    for pair in aligned_paths(source, target):
        yield from _aligned(*pair)


def aligned_paths(source, target):
    """List of pairs of paths; raise unless both sides have as many."""
    sources, targets = _paths(source, "source"), _paths(target, "target")
    if len(sources) != len(targets):
        raise ValueError(
            "`source` and `target` must have the same number of files. "
            f"Received: len(source)={len(sources)}, "
            f"len(target)={len(targets)}. Concatenate the files of each side."
        )
    return [*zip(sources, targets)]


def tsv_pairs(path) -> Iterator[tuple[str, str]]:
    """Read pairs from the two columns of each line."""
    for number, text in file_lines(path, "path"):
        columns = text.split("\t")
        if len(columns) != 2:
            raise ValueError(
                "`path` must hold `source<TAB>target` on each line. Received: "
                f"{path}, line {number}, with {len(columns) - 1} tabs. Put one "
                "tab between source and target, and remove blank lines and "
                "further columns (`cut -f1,2`)."
            )
        yield tuple(columns)


def json_pairs(path, source, target) -> Iterator[tuple[str, str]]:
    """Read pairs from two fields of the JSON object on each line."""
    for number, text in file_lines(path, "path"):
        place = f"{path}, line {number}"
        row = _object(text, place)
        yield _field(row, source, place), _field(row, target, place)


def row_pairs(rows, source, target) -> Iterator[tuple[str, str]]:
    """Read pairs from two fields of dicts."""
    for index, row in enumerate(rows):
        place = f"row {index}"
        if not isinstance(row, Mapping):
            raise ValueError(
                "`rows` must hold dicts. Received: "
                f"rows[{index}] of type {type(row).__name__}. For tuples, use "
                "`from_pairs`."
            )
        yield _field(row, source, place), _field(row, target, place)


def file_lines(path, argument) -> Iterator[tuple[int, str]]:
    """Read the lines of a plain or gzipped file with their numbers.

    Whether a file is gzipped depends on its first bytes, not its name. An empty
    file raises an error.

    Args:
        path: Path.
        argument: String. Name of the argument, for error messages.
    """
    number, name = 0, os.fspath(check_readable_file(path, argument))
    with contextlib.ExitStack() as stack:
        file = stack.enter_context(open(path, "rb"))
        if file.peek(len(GZIP)).startswith(GZIP):
            file = stack.enter_context(gzip.open(file))
        try:
            for number, text in text_lines(file, name, f"`{argument}`"):
                yield number, text
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise ValueError(
                f"`{argument}` must be a complete file. Received: {name}, a "
                f"gzipped file that is damaged after line {number}. Check it "
                "with `gzip -t`, and copy it again."
            ) from error
    if not number:
        raise ValueError(
            f"`{argument}` must be a file with at least one line. "
            f"Received: {name}, an empty file."
        )


def _paths(given, argument):
    if isinstance(given, (str, os.PathLike)):
        return [given]
    if not isinstance(given, (list, tuple)) or not given:
        raise ValueError(
            f"`{argument}` must be a path or a non-empty list of paths. "
            f"Received: {argument} of type {type(given).__name__}. For pairs "
            "of texts, use `ParallelCorpus.from_pairs`."
        )
    return list(given)


def _aligned(source, target):
    sides = file_lines(source, "source"), file_lines(target, "target")
    for number, pair in enumerate(itertools.zip_longest(*sides)):
        if None in pair:
            ended = pair.index(None)
            more = number + 1 + sum(1 for _ in sides[1 - ended])
            counts = [more, more]
            counts[ended] = number
            raise ValueError(
                "`source` and `target` must have the same number of lines. "
                f"Received: {source} with {counts[0]:,} lines, {target} with "
                f"{counts[1]:,}. Line i of one belongs to line i of the "
                "other; look for a missing line, or a text on two lines."
            )
        yield tuple(text for _, text in pair)


def _object(text, place):
    try:
        row = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(
            f"`path` must hold a JSON object on each line. Received: {place}, "
            "which is not JSON. Remove blank lines, and write each object on "
            "one line."
        ) from error
    if isinstance(row, dict):
        return row
    raise ValueError(
        f"`path` must hold a JSON object on each line. Received: {place}, "
        f"of type {type(row).__name__}. Write objects with named fields."
    )


def _field(row, name, place):
    value = row
    for key in [name] if name in row else name.split("."):
        value = value.get(key) if isinstance(value, Mapping) else None
    if isinstance(value, str):
        return value
    kind = "missing" if value is None else f"of type {type(value).__name__}"
    raise ValueError(
        f"Each row must have a string in the field {name!r}. "
        f"Received: {place}, where it is {kind}. Pass the names of your fields "
        "as `source` and `target`; `a.b` is the field b in a."
    )
