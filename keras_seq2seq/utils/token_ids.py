"""Token ids that a vocabulary has, and other integers of 32 bits."""

import numpy as np

LARGEST = 2**31 - 1  # ids are int32


def check_token_ids(token_ids, name, vocabulary_size):
    """Raise unless all ids of an array are of a vocabulary of that size.

    Args:
        token_ids: Array of numbers of any shape.
        name: String, what the array is called.
        vocabulary_size: Integer.
    """
    if not np.size(token_ids):
        return
    check_range((np.min(token_ids), np.max(token_ids)), name, vocabulary_size)
    whole = not np.issubdtype(np.asarray(token_ids).dtype, np.inexact)
    if not (whole or np.all(np.mod(token_ids, 1) == 0)):
        raise ValueError(
            f"`{name}` must hold whole numbers. Received: {name} with others."
        )


def check_range(ends, name, vocabulary_size):
    """Raise unless ids, the least and the largest, are of a vocabulary."""
    for token_id in ends:
        if not 0 <= token_id < vocabulary_size:  # NaN is not, either
            raise ValueError(
                f"`{name}` must hold ids from 0 to {vocabulary_size - 1}. "
                f"Received: {name} with the id {token_id}. Use the tokenizer "
                "that the model was made for."
            )


def check_32_bits(numbers, name):
    """Raise unless all numbers of an array or a list are of 32 bits."""
    ends = (np.min(numbers), np.max(numbers)) if np.size(numbers) else ()
    for number in ends:
        if not -LARGEST - 1 <= number <= LARGEST:
            raise ValueError(
                f"`{name}` must be of 32 bits, from {-LARGEST - 1} to "
                f"{LARGEST}. Received: {name} with {number}. Take "
                f"`{name} % 2**31`."
            )
