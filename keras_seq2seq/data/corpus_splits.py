"""A corpus in three splits."""

import dataclasses

from keras_seq2seq.data.parallel_corpus import ParallelCorpus


@dataclasses.dataclass(frozen=True, repr=False)
class CorpusSplits:
    """Corpus split into training, validation and test data.

    Args:
        train: `ParallelCorpus` to train on.
        validation: `ParallelCorpus` to choose settings with.
        test: `ParallelCorpus` to report final results on.

    Example:

    >>> part = k2s.data.ParallelCorpus(["a"], [["EY"]])
    >>> k2s.data.CorpusSplits(part, validation=part, test=part)
    CorpusSplits(train=1, validation=1, test=1 sources)
    """

    train: ParallelCorpus
    validation: ParallelCorpus
    test: ParallelCorpus

    def __repr__(self) -> str:
        return (
            f"CorpusSplits(train={len(self.train):,}, "
            f"validation={len(self.validation):,}, "
            f"test={len(self.test):,} sources)"
        )
