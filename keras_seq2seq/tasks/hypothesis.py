import dataclasses
from typing import Any


@dataclasses.dataclass(frozen=True)
class Hypothesis:
    """One answer of a search.

    Args:
        text: String.
        score: Float, the search's score: the log-probability over the length
            penalty.
        tokens: List of strings, without the end token.
        attention_scores: Array of shape `(len(tokens), source tokens)`, or a
            dict by layer of `(num_heads, len(tokens), source tokens)`, or
            `None`, as it was asked for.
    """

    text: str
    score: float
    tokens: list
    attention_scores: Any = None
