import dataclasses

import numpy as np

from keras_seq2seq.text.vocabulary import SPECIAL_TOKENS

START = SPECIAL_TOKENS[1]
KINDS = ("encoder", "decoder", "memory")


@dataclasses.dataclass(frozen=True)
class Panel:
    """A table of attention scores with its labels.

    Args:
        rows, columns: Lists of tokens.
        scores: Array of shape `(len(rows), len(columns))`.
        heading: String, or `None`.
        down, across: Strings. Labels of the vertical and horizontal axis.
    """

    rows: list
    columns: list
    scores: np.ndarray
    heading: str | None = None
    down: str = "output"
    across: str = "source"


def get_sides(kind, source_tokens, target_tokens):
    """Dict of `rows`, `columns`, `down` and `across` of a `Panel`.

    Decoder self-attention is from an output token to the tokens before it.

    Args:
        kind: One of `KINDS`.
        source_tokens, target_tokens: Lists of strings.
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
