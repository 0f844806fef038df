import dataclasses

import numpy as np

from keras_seq2seq.text.vocabulary import SPECIAL_TOKENS

START = SPECIAL_TOKENS[1]
KINDS = ("encoder", "decoder", "memory")


@dataclasses.dataclass(frozen=True)
class Panel:
    """One table of attention scores, and what its sides stand for.

    Args:
        rows, columns: Lists of tokens.
        scores: Array of shape `(len(rows), len(columns))`.
        heading: String, or `None`.
        down, across: Strings, the names of both sides.
    """

    rows: list
    columns: list
    scores: np.ndarray
    heading: str | None = None
    down: str = "output"
    across: str = "source"


def sides(kind, source_tokens, target_tokens):
    """`rows`, `columns`, `down` and `across` of a `Panel` of one of `KINDS`.

    An output token's own self-attention looks at what was there before it.
    """
    source = source_tokens, "source"
    target = target_tokens, "output"
    before = [START, *target_tokens[:-1]], "output before"
    (rows, down), (columns, across) = {
        "encoder": (source, source),
        "decoder": (target, before),
        "memory": (target, source),
    }[kind]
    return {"rows": rows, "columns": columns, "down": down, "across": across}
