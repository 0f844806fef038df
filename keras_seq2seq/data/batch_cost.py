"""Limits of the size of a batch."""

import math

MAX_COST = 2**24


def affordable_rows(rows: int, tokens: int, max_cost: int = MAX_COST) -> int:
    """Number of rows, at most `rows`, that keep a batch within `max_cost`.

    The cost is `rows * tokens**2`: ids, states and logits grow with the tokens
    of a row, attention energies with their square.

    Args:
        rows: Integer. The largest number of rows.
        tokens: Integer. Padded tokens of a row, source and target together.
        max_cost: Integer. Largest cost of a batch. Defaults to `2**24`, which
            is 128 rows of 362 tokens, or one row of 4,096.

    Returns:
        Integer from 0, if not even one row fits, to `rows`.
    """
    return min(rows, max_cost // max(tokens, 1) ** 2)


def most_tokens(rows: int, max_cost: int = MAX_COST) -> int:
    """Largest number of tokens per row for a batch of `rows` rows."""
    return math.isqrt(max_cost // rows)
