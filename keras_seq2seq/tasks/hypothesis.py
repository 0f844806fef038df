import dataclasses
from typing import Any

import keras
import numpy as np


@dataclasses.dataclass(frozen=True, eq=False)
class Hypothesis:
    """One answer of a search, or a given one, as it was scored.

    Args:
        text: String.
        score: Float, the search's score: the log-probability under the
            penalties. Of a given answer, its log-probability.
        tokens: List of strings, without the end token.
        attention_scores: Array of shape `(len(tokens), source tokens)`, or
            `None`, as it was asked for; or, by layer, a dict of those of the
            model's kinds -> layer -> array: `"encoder"`, of shape
            `(num_heads, source tokens, source tokens)`, `"decoder"`,
            `(num_heads, len(tokens), len(tokens))`, whose columns are the
            start token and all tokens but the last, and `"memory"`,
            `(num_heads, len(tokens), source tokens)`.
        log_probs: Array of the log-probabilities of the tokens, then of the
            end token, if the hypothesis has one: the model's, or what a
            constraint such as `RepetitionPenalty` made of them.
        total_log_prob: Float, their sum.
    """

    text: str
    score: float
    tokens: list
    attention_scores: Any = None
    log_probs: Any = None
    total_log_prob: float | None = None

    def __eq__(self, other):
        if not isinstance(other, Hypothesis):
            return NotImplemented
        own, others = (keras.tree.flatten(vars(x)) for x in (self, other))
        return len(own) == len(others) and all(map(np.array_equal, own, others))
