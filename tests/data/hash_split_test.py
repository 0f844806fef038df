import random

import numpy as np
import pytest

from keras_seq2seq.data import ParallelCorpus
from keras_seq2seq.data.hash_split import split_of

# The first 16 digits of `printf %s TEXT | sha1sum`, over 16^16.
SHARES = {"11": 0.0927, "17": 0.0277, "4": 0.1070, "0": 0.7123, "ä": 0.5864}


def test_against_sha1sum():
    for text, share in SHARES.items():
        assert split_of(text, 0.0, share + 1e-4) == "test"
        assert split_of(text, 2e-4, share - 1e-4) == "validation"
        assert split_of(text, 0.0, share - 1e-4) == "train"
    assert split_of("\ud800", 0.0, 0.0) == "train"  # no UTF-8, but a text


def corpus(count=2000):
    sources = [f"s{number}" for number in range(count)]
    references = [[f"t{number}", "t"] for number in range(count)]
    return ParallelCorpus(sources, references, target_tokenizer="symbol")


def test_parts_make_up_the_corpus_in_its_order():
    whole = corpus()
    splits = whole.split(validation=0.1, test=0.2)
    parts = splits.train, splits.validation, splits.test
    together = [row for part in parts for row in part]
    assert sorted(together) == sorted(whole)
    order = {source: place for place, source in enumerate(whole.sources)}
    for part, share in zip(parts, (0.7, 0.1, 0.2)):
        places = [order[source] for source in part.sources]
        assert places == sorted(places)
        assert abs(len(part) / 2000 - share) < 0.03
        assert part.target_tokenizer == "symbol"


def test_equal_sources_are_on_one_side():
    sources = [f"s{number % 50}" for number in range(200)]
    splits = ParallelCorpus(sources, [["t"]] * 200).split(test=0.3)
    sides = [{*splits.train.sources}, {*splits.test.sources}]
    assert not sides[0] & sides[1] and all(sides)
    assert len(splits.test) == 4 * len(sides[1])


def test_neither_order_nor_company_matters():
    rows = list(corpus())
    test = {*corpus().split(test=0.1).test.sources}
    random.Random(0).shuffle(rows)
    half = ParallelCorpus(*zip(*rows[:1000]))
    found = {*half.split(validation=0.3, test=0.1).test.sources}
    assert found == test & {*half.sources}


def test_a_larger_share_only_adds():
    small, large = (
        {*corpus().split(test=share).test.sources} for share in (0.05, 0.15)
    )
    assert small < large


def test_no_share():
    splits = corpus(50).split(validation=0, test=0)
    assert len(splits.train) == 50
    assert len(splits.validation) == len(splits.test) == 0


@pytest.mark.parametrize(
    ("shares", "received"),
    [
        ({"test": 1}, "test=1"),
        ({"validation": -0.1}, "validation=-0.1"),
        ({"test": "1 %"}, "test='1 %'"),
        ({"validation": 0.5, "test": 0.5}, "validation=0.5, test=0.5"),
    ],
)
def test_errors(shares, received):
    with pytest.raises(ValueError, match=f"Received: {received}"):
        corpus(3).split(**shares)


def test_whitespace_around_a_text_does_not_count():
    for text in ("a", "two words", "\u4e2d"):
        for share in np.linspace(0, 0.99, 34):
            found = {
                split_of(x, share, 0.005)
                for x in (text, f" {text}", f"{text}\t", f"\u00a0{text}\r")
            }
            assert len(found) == 1
