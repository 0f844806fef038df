"""A corpus in three parts."""

import dataclasses

from keras_seq2seq.data.parallel_corpus import ParallelCorpus


@dataclasses.dataclass(frozen=True, repr=False)
class CorpusSplits:
    """Corpus cut into parts to train on, to watch, and to report.

    Args:
        train: `ParallelCorpus` to fit.
        validation: `ParallelCorpus` to choose settings by.
        test: `ParallelCorpus` to report results on, once.

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
