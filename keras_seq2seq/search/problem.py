import dataclasses
from collections.abc import Callable


@dataclasses.dataclass(frozen=True)
class Problem:
    """What one call of a search was given.

    Args:
        step: Function of `(token_ids, states, index)`.
        start_token_id, end_token_id, pad_token_id: Integers.
        inputs: Dict of the search's data inputs, `batch_size` rows each.
        row_inputs: The same, repeated for the hypotheses of a source.
        return_log_probs: Boolean.
    """

    step: Callable
    start_token_id: int
    end_token_id: int
    pad_token_id: int
    inputs: dict
    row_inputs: dict
    return_log_probs: bool
