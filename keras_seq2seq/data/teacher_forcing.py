"""Padding, and the shift between decoder inputs and targets."""

from collections.abc import Sequence

import numpy as np

from keras_seq2seq.text import Vocabulary
from keras_seq2seq.utils.token_ids import LARGEST


def pad_token_ids(
    token_ids: Sequence[Sequence[int]],
    *,
    rows: int | None = None,
    length: int | None = None,
) -> np.ndarray:
    """Pad lists of ids to one array.

    Args:
        token_ids: List of lists of ids.
        rows: Integer. Number of rows. Additional rows are all padding. Defaults
            to the number of lists.
        length: Integer. Number of columns. Defaults to the length of the
            longest list, and at least 1, as layers need at least one column.

    Returns:
        Int32 array of shape `(rows, length)`.

    Example:

    >>> k2s.data.pad_token_ids([[4, 5], []], rows=3)
    array([[4, 5],
           [0, 0],
           [0, 0]], dtype=int32)
    """
    rows = len(token_ids) if rows is None else rows
    longest = max(map(len, token_ids), default=0)
    length = max(longest, 1) if length is None else length
    if rows < len(token_ids) or length < max(longest, 1):
        raise ValueError(
            "`rows` and `length` must fit all of `token_ids`, with at least "
            f"one column. Received: rows={rows}, length={length} for "
            f"{len(token_ids)} lists of up to {longest} ids. Truncate the "
            "lists, or leave `rows` and `length` out."
        )
    padded = np.full((rows, length), Vocabulary.pad_token_id, "int64")
    for row, ids in zip(padded, token_ids):
        row[: len(ids)] = ids
    if padded.size and np.max(np.abs(padded)) > LARGEST:
        raise ValueError(
            f"`token_ids` must fit into 32 bits. Received: the id "
            f"{padded.flat[np.argmax(np.abs(padded))]}"
        )
    return padded.astype("int32")


def teacher_forcing(
    token_ids: Sequence[Sequence[int]],
    *,
    rows: int | None = None,
    length: int | None = None,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Compute decoder inputs, targets and weights of target sequences.

    For the tokens `y1 .. yn`, the decoder reads `[start] y1 .. yn` and the
    targets are `y1 .. yn [end]`: step `t` sees the correct tokens before `t`.
    Weights are 1 for tokens and the end, and 0 for padding.

    Args:
        token_ids: List of lists of ids, without start and end.
        rows: Integer. Number of rows. Additional rows have zero weights.
            Defaults to the number of lists.
        length: Integer. Number of columns. Defaults to the length of the
            longest list plus one.

    Returns:
        Int32 decoder ids, int32 targets and float32 weights, each of shape
        `(rows, length)`.

    Example:

    >>> decoder_ids, targets, weights = k2s.data.teacher_forcing([[7, 8], [9]])
    >>> decoder_ids
    array([[1, 7, 8],
           [1, 9, 0]], dtype=int32)
    >>> targets
    array([[7, 8, 2],
           [9, 2, 0]], dtype=int32)
    >>> weights
    array([[1., 1., 1.],
           [1., 1., 0.]], dtype=float32)
    """
    start, end = Vocabulary.start_token_id, Vocabulary.end_token_id
    inputs = [[start, *ids] for ids in token_ids]
    targets = [[*ids, end] for ids in token_ids]
    weights = pad_token_ids(
        [[1] * len(ids) for ids in targets], rows=rows, length=length
    )
    return (
        pad_token_ids(inputs, rows=rows, length=length),
        pad_token_ids(targets, rows=rows, length=length),
        weights.astype("float32"),
    )
