"""Checks of token ids and of other 32-bit integers."""

import numpy as np

LARGEST = 2**31 - 1  # ids are int32


def check_token_ids(token_ids, name, vocabulary_size):
    """Raise unless all ids of an array are below `vocabulary_size`.

    Args:
        token_ids: Array of numbers of any shape.
        name: String. The array's name, for the error message.
        vocabulary_size: Integer.
    """
    if not np.size(token_ids):
        return
    check_range((np.min(token_ids), np.max(token_ids)), name, vocabulary_size)
    whole = not np.issubdtype(np.asarray(token_ids).dtype, np.inexact)
    if not (whole or np.all(np.mod(token_ids, 1) == 0)):
        raise ValueError(
            f"`{name}` must hold integers. Received: {name} with fractions."
        )


def check_range(ends, name, vocabulary_size):
    """Raise unless the least and the largest id are in the vocabulary."""
    for token_id in ends:
        if not 0 <= token_id < vocabulary_size:  # NaN is not, either
            raise ValueError(
                f"`{name}` must hold ids from 0 to {vocabulary_size - 1}. "
                f"Received: {name} with the id {token_id}. Use the tokenizer "
                "that the model was made for."
            )


def check_32_bits(numbers, name):
    """Raise unless all numbers of an array or a list fit into 32 bits."""
    ends = (np.min(numbers), np.max(numbers)) if np.size(numbers) else ()
    for number in ends:
        if not -LARGEST - 1 <= number <= LARGEST:
            raise ValueError(
                f"`{name}` must fit into 32 bits, from {-LARGEST - 1} to "
                f"{LARGEST}. Received: {name} with {number}. Use "
                f"`{name} % 2**31`."
            )
