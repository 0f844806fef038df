"""Padding, and the shift between decoder inputs and targets."""

from collections.abc import Sequence

import numpy as np

from keras_seq2seq.data.token_rows import flatten_token_ids
from keras_seq2seq.data.token_rows import row_lengths
from keras_seq2seq.text import Vocabulary


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
    lengths = row_lengths(token_ids)
    rows, length = _check_shape(rows, length, lengths)
    flat = flatten_token_ids(token_ids)
    padded = np.full((rows, length), Vocabulary.pad_token_id, "int32")
    padded[: len(lengths)][np.arange(length) < lengths[:, None]] = flat
    return padded


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
    lengths = row_lengths(token_ids)
    rows, length = _check_shape(rows, length, lengths + 1)
    padded = pad_token_ids(token_ids, rows=rows, length=length)
    decoder_token_ids = np.roll(padded, 1, axis=1)  # the last one is padding
    decoder_token_ids[: len(lengths), 0] = Vocabulary.start_token_id
    targets, sample_weight = padded, np.zeros(padded.shape, "float32")
    targets[np.arange(len(lengths)), lengths] = Vocabulary.end_token_id
    real = np.arange(length) <= lengths[:, None]
    sample_weight[: len(lengths)] = real
    return decoder_token_ids, targets, sample_weight


def _check_shape(rows, length, lengths, least=1):
    """Return the number of rows and columns; raise if they are too few."""
    longest = int(lengths.max(initial=0))
    rows = len(lengths) if rows is None else rows
    length = max(longest, least) if length is None else length
    if rows < len(lengths) or length < max(longest, least):
        raise ValueError(
            "`rows` and `length` must fit all of `token_ids`, with at least "
            f"one column. Received: rows={rows}, length={length} for "
            f"{len(lengths)} lists of up to {longest} ids. Truncate the "
            "lists, or leave `rows` and `length` out."
        )
    return rows, length
