import dataclasses
from typing import Any


@dataclasses.dataclass(frozen=True)
class Hypothesis:
    """One answer of a search.

    Args:
        text: String.
        score: Float, the search's score: the log-probability under the
            penalties.
        tokens: List of strings, without the end token.
        attention_scores: Array of shape `(len(tokens), source tokens)`, or a
            dict by layer of `(num_heads, len(tokens), source tokens)`, or
            `None`, as it was asked for.
        log_probs: Array of the log-probabilities of the tokens, then of the
            end token, if the hypothesis has one.
        total_log_prob: Float, their sum.
    """

    text: str
    score: float
    tokens: list
    attention_scores: Any = None
    log_probs: Any = None
    total_log_prob: float | None = None
