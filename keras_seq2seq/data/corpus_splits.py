"""A corpus in three splits."""

import dataclasses

from keras_seq2seq.data.pair_sources import PairSources


@dataclasses.dataclass(frozen=True, repr=False)
class CorpusSplits:
    """Corpus split into training, validation and test data.

    Args:
        train: `ParallelCorpus`, or `StreamedCorpus`, to train on.
        validation: The same, to choose settings with.
        test: The same, to report final results on.

    Example:

    >>> part = k2s.data.ParallelCorpus(["a"], [["EY"]])
    >>> k2s.data.CorpusSplits(part, validation=part, test=part)
    CorpusSplits(train=1, validation=1, test=1 sources)
    """

    train: PairSources
    validation: PairSources
    test: PairSources

    def __repr__(self) -> str:
        parts = vars(self)
        if not all(hasattr(part, "__len__") for part in parts.values()):
            return "CorpusSplits(train, validation, test: streamed)"
        sizes = (f"{name}={len(part):,}" for name, part in parts.items())
        return f"CorpusSplits({', '.join(sizes)} sources)"
