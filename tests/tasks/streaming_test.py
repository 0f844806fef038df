"""Answers to a stream: those of `generate`, in order, window by window."""

import itertools

import numpy as np
import pytest

from keras_seq2seq.search import Sampling
from keras_seq2seq.tasks import TextToText

TEXTS = ["ab", "b" * 9, "", "ba", "aab", "b", "aa" * 7]


@pytest.fixture(scope="module")
def task():
    return TextToText.from_corpus(
        [("ab", "A B"), ("b", "B")],
        "luong_2015_small",
        units=4,
        embedding_dim=4,
        num_layers=1,
        target_tokenizer="symbol",
    )


@pytest.mark.parametrize("window", [1, 3, 100])
def test_as_generate(task, window):
    expected = task.generate(TEXTS)
    assert [*task.generate_stream(TEXTS, window=window)] == expected
    found = [*task.generate_stream(iter(TEXTS), window=window, n_best=2)]
    expected = task.generate(TEXTS, n_best=2)
    for ours, theirs in zip(found, expected):
        assert [x.text for x in ours] == [x.text for x in theirs]
        scores = [[x.score for x in y] for y in (ours, theirs)]
        np.testing.assert_allclose(*scores, atol=1e-5)


def test_reads_no_further_than_it_must(task):
    def endless():
        for number in itertools.count():
            read.append(number)
            yield "ab"

    read = []
    answers = task.generate_stream(endless(), window=4)
    assert not read
    assert [*itertools.islice(answers, 5)] == task.generate(["ab"]) * 5
    assert len(read) == 8


def test_what_cannot_be_answered(task):
    texts = ["ab", None, "b" * 16_385, "b"]
    first, last = task.generate(["ab", "b"])
    for window in (2, 10):
        found = [*task.generate_stream(texts, window=window)]
        assert found == [first, None, None, last]
    assert [*task.generate_stream([None])] == [None]
    assert [*task.generate_stream([])] == []


def test_seeds_count_the_sources(task):
    search = Sampling(temperature=2.0, max_length=6)
    expected = task.generate(TEXTS, search=search, seed=[*range(5, 12)])
    options = {"search": search, "seed": 5}
    for window in (2, 10):
        found = [*task.generate_stream(TEXTS, window=window, **options)]
        assert found == expected
    texts = [TEXTS[0], None, *TEXTS[2:]]
    found = [*task.generate_stream(texts, **options)]
    assert found == [expected[0], None, *expected[2:]]


def test_errors(task):
    with pytest.raises(ValueError, match="`window` must be an integer"):
        [*task.generate_stream(TEXTS, window=0)]
