from collections.abc import Callable
from typing import Any
from typing import NamedTuple


class StepContext(NamedTuple):
    """What a search was called with, as seen from one of its steps.

    Constraints read the first four.

    Args:
        index: Integer scalar tensor, the number of tokens so far.
        inputs: Dict of the search's data inputs, a row for each hypothesis.
        end_token_id: Integer.
        pad_token_id: Integer.
        start_token_id: Integer.
        start_token_ids: Integer tensor of shape `(rows,)`.
        source_inputs: Dict like `inputs`, a row for each source.
        step: Function of `(token_ids, states, cache, index)`.
        return_log_probs: Boolean.
    """

    index: Any
    inputs: dict
    end_token_id: int
    pad_token_id: int
    start_token_id: int | None = None
    start_token_ids: Any = None
    source_inputs: dict | None = None
    step: Callable | None = None
    return_log_probs: bool = False
