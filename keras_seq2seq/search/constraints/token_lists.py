"""Checks of lists of token ids."""

import numpy as np

from keras_seq2seq.utils.checks import check_integer


def check_token_ids(token_ids, argument):
    """Return a list of Python integers; raise unless all are at least 0."""
    if isinstance(token_ids, np.ndarray):
        token_ids = token_ids.tolist()
    if not isinstance(token_ids, (list, tuple)):
        raise TypeError(
            f"`{argument}` must be a list of integers. Received: {argument} "
            f"of type `{type(token_ids).__name__}`"
        )
    return [
        check_integer(token, f"{argument}[{index}]", 0)
        for index, token in enumerate(token_ids)
    ]


def check_sequences(sequences, argument, least):
    """Return lists of Python integers, each with at least `least` entries."""
    if not isinstance(sequences, (list, tuple)):
        raise TypeError(
            f"`{argument}` must be a list of lists of integers. Received: "
            f"{argument} of type `{type(sequences).__name__}`"
        )
    checked = [
        check_token_ids(sequence, f"{argument}[{index}]")
        for index, sequence in enumerate(sequences)
    ]
    lengths = [len(sequence) for sequence in checked]
    if not checked or min(lengths) < least:
        raise ValueError(
            f"`{argument}` must hold at least one sequence, each of at least "
            f"{least} tokens. Received: {argument} with lengths {lengths[:9]}"
        )
    return checked


def check_vocabulary(token_ids, argument, vocabulary_size):
    """Raise unless all ids are below `vocabulary_size`."""
    largest = max(token_ids, default=0)
    if largest >= vocabulary_size:
        raise ValueError(
            f"`{argument}` must hold ids less than the vocabulary's size, "
            f"{vocabulary_size}. Received: {argument} with {largest}"
        )
