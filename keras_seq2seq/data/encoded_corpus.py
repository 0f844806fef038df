"""A corpus as token ids."""

import dataclasses
from collections.abc import Sequence

from keras_seq2seq.data.token_rows import TokenRows


@dataclasses.dataclass(frozen=True, repr=False)
class EncodedCorpus:
    """Pairs of a corpus as token ids, for `task.fit`.

    Args:
        sources: `TokenRows`, or a list of other rows, one for each pair.
        targets: `TokenRows`.
        left_out: Dict of filter -> number of pairs that it removed. Defaults to
            `None`: unknown.
    """

    sources: Sequence
    targets: TokenRows
    left_out: dict | None = None

    def __len__(self) -> int:
        return len(self.targets)

    def __repr__(self) -> str:
        return f"EncodedCorpus({len(self):,} pairs)"
