from typing import Any
from typing import NamedTuple


class StepContext(NamedTuple):
    """What a constraint sees of a step beside its own state.

    Args:
        index: Integer scalar tensor, the number of tokens so far.
        inputs: Dict of the search's data inputs, `rows` in front.
        end_token_id: Integer.
        pad_token_id: Integer.
    """

    index: Any
    inputs: dict
    end_token_id: int
    pad_token_id: int
