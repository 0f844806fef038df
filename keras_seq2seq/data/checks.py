"""Checks of the rows of a dataset."""

import numbers

import numpy as np

from keras_seq2seq.data.token_rows import TokenRows
from keras_seq2seq.utils.checks import check_integer
from keras_seq2seq.utils.token_ids import LARGEST
from keras_seq2seq.utils.token_ids import check_range


def check_rows(sources, targets):
    """Raise unless both sides have the same number of rows, at least one."""
    if len(sources) != len(targets) or not len(sources):
        raise ValueError(
            "`source_token_ids` and `target_token_ids` must have the same "
            "length, at least 1. Received: "
            f"len(source_token_ids)={len(sources)}, "
            f"len(target_token_ids)={len(targets)}."
        )


def check_ids(name, token_ids, highest_forbidden, size):
    """Raise unless all ids are in the vocabulary and not special."""
    size_name = name.replace("token_ids", "vocabulary_size")
    size = LARGEST + 1 if size is None else check_integer(size, size_name, 1)
    if _all_between(token_ids, highest_forbidden + 1, size):
        return
    for index, ids in enumerate(token_ids):
        kinds = set(map(type, ids))
        if not all(issubclass(kind, numbers.Integral) for kind in kinds):
            raise TypeError(
                f"`{name}` must hold lists of integers. Received: "
                f"{name}[{index}] of {sorted(k.__name__ for k in kinds)}."
            )
        lowest = min(ids, default=highest_forbidden + 1)
        if lowest <= highest_forbidden:
            raise ValueError(
                f"`{name}` must hold ids above {highest_forbidden}. Lower ids "
                "are special tokens, which are added here. "
                f"Received: {name}[{index}] with the id {lowest}. Leave "
                "special ids out, and start your own tokens at 4."
            )
        if len(ids):
            check_range([max(ids)], f"{name}[{index}]", size)


def _all_between(token_ids, least, size):
    """Whether all ids of `TokenRows` are known to be in a range."""
    if not isinstance(token_ids, TokenRows):
        return False
    flat = token_ids.token_ids
    return not flat.size or least <= np.min(flat) <= np.max(flat) < size
