"""How large a batch may become, whatever the data."""

import math

MAX_COST = 2**24


def affordable_rows(rows: int, tokens: int, max_cost: int = MAX_COST) -> int:
    """How many of `rows` rows a batch may have: `rows * tokens**2` is bounded.

    Logits, states and ids grow with the tokens of a row, the energies of
    attention with their square.

    Args:
        rows: Integer.
        tokens: Integer. Padded tokens of a row, all its sides together.
        max_cost: Integer. The bound. Defaults to `2**24`: 128 rows of 362
            tokens, or one of 4,096.

    Returns:
        Integer from 0, where not even one row fits, to `rows`.
    """
    return min(rows, max_cost // max(tokens, 1) ** 2)


def most_tokens(rows: int, max_cost: int = MAX_COST) -> int:
    """Tokens of the longest row of which `rows` are affordable."""
    return math.isqrt(max_cost // rows)
