import dataclasses
from typing import Any

import keras
import numpy as np


@dataclasses.dataclass(frozen=True, eq=False)
class Hypothesis:
    """A hypothesis of a search, or a scored target.

    Args:
        text: String.
        score: Float. The score of the search: the log-probability after
            penalties. For a scored target, its log-probability.
        tokens: List of strings, without the end token.
        attention_scores: Array of shape `(len(tokens), source tokens)`, or
            `None` if not requested. With `"by_layer"`, a dict of kind -> layer
            -> array: `"encoder"` of shape
            `(num_heads, source tokens, source tokens)`, `"decoder"` of shape
            `(num_heads, len(tokens), len(tokens))`, whose columns are the start
            token and all tokens but the last, and `"memory"` of shape
            `(num_heads, len(tokens), source tokens)`.
        log_probs: Array with the log-probabilities of the tokens, and of the
            end token if the hypothesis has one. Constraints such as
            `RepetitionPenalty` may change them.
        total_log_prob: Float. The sum of `log_probs`.
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
