import dataclasses

import pytest

from keras_seq2seq.data import CorpusSplits
from keras_seq2seq.data import ParallelCorpus


def test_basics():
    train = ParallelCorpus(["a"] * 1200, [["A"]] * 1200)
    splits = CorpusSplits(train, validation=train[:2], test=train[:1])
    assert splits.train is train
    assert repr(splits) == str(splits)
    assert str(splits) == (
        "CorpusSplits(train=1,200, validation=2, test=1 sources)"
    )


def test_errors():
    part = ParallelCorpus([], [])
    splits = CorpusSplits(part, part, part)
    with pytest.raises(dataclasses.FrozenInstanceError):
        splits.train = None
