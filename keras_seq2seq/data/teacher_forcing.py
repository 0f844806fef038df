"""The shift between what a decoder reads and what it must say."""

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
    """Lists of ids as one array, filled up with the pad id.

    Args:
        token_ids: List of lists of ids.
        rows: Integer. Rows of the result; further ones are empty, all pad.
            Defaults to the number of lists.
        length: Integer. Columns of the result. Defaults to the longest list,
            at least 1: an empty sequence still needs a column.

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
            "`rows` and `length` must leave room for all of `token_ids`, with "
            f"one column at least. Received: rows={rows}, length={length} for "
            f"{len(token_ids)} lists of up to {longest} ids. Cut the lists, or "
            "leave `rows` and `length` out."
        )
    padded = np.full((rows, length), Vocabulary.pad_token_id, "int64")
    for row, ids in zip(padded, token_ids):
        row[: len(ids)] = ids
    if padded.size and np.max(np.abs(padded)) > LARGEST:
        raise ValueError(
            f"`token_ids` must hold ids of 32 bits. Received: the id "
            f"{padded.flat[np.argmax(np.abs(padded))]}"
        )
    return padded.astype("int32")


def teacher_forcing(
    token_ids: Sequence[Sequence[int]],
    *,
    rows: int | None = None,
    length: int | None = None,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Decoder inputs, targets and weights of target sequences.

    From the tokens `y1 .. yn` the decoder reads `[start] y1 .. yn` and must say
    `y1 .. yn [end]`: step `t` sees the right tokens before `t`. A weight is 1
    for a token and for the end, 0 for padding.

    Args:
        token_ids: List of lists of ids, without start and end.
        rows: Integer. Rows of the result; further ones weigh nothing.
            Defaults to the number of lists.
        length: Integer. Columns of the result. Defaults to the longest list
            plus one.

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
