import pytest

from keras_seq2seq.data import ParallelCorpus
from keras_seq2seq.data.filters import FILTERS
from keras_seq2seq.data.filters import Candidate
from keras_seq2seq.data.hash_set import HashSet
from keras_seq2seq.text import CharacterTokenizer
from keras_seq2seq.text import SymbolTokenizer


def candidate(source, target, lengths=(1, 1), before=()):
    seen = HashSet()
    for pair in before:
        seen.add(hash(pair))
    return Candidate(source, target, lengths, seen)


@pytest.mark.parametrize(
    ("name", "limit", "goes", "stays"),
    [
        ("empty", None, candidate("a", " \t"), candidate("a", "b")),
        ("empty", None, candidate("", "b"), candidate("-", ".")),
        ("broken", None, candidate("a", "b\ufffd"), candidate("ä", "\u2028")),
        ("broken", None, candidate("\ud800", "b"), candidate("😀", "b")),
        ("copy", None, candidate(" a", "a"), candidate("a", "A")),
        (
            "long",
            4,
            candidate("a", "b", lengths=(1, 5)),
            candidate("a", "b", lengths=(4, 4)),
        ),
        (
            "uneven",
            1.5,
            candidate("a", "b", lengths=(4, 2)),
            candidate("a", "b", lengths=(2, 3)),
        ),
        (
            "uneven",
            2,
            candidate("a", "b", lengths=(1, 3)),
            candidate("", "b", lengths=(0, 3)),  # another filter's
        ),
        (
            "repeated",
            None,
            candidate("a", "b", before=[("a", "b")]),
            candidate("a", "b", before=[("b", "a")]),
        ),
    ],
)
def test_each(name, limit, goes, stays):
    assert FILTERS[name](goes, limit)
    assert not FILTERS[name](stays, limit)


CORPUS = ParallelCorpus(
    ["one two", "ok", "one two", "", "x", "ab", "\ufffd"],
    [
        ["eins zwei", "eins zwei", "eins"],
        ["ok", "in Ordnung"],
        ["eins", "neu"],
        ["nichts"],
        ["x" * 30],
        ["abcdef"],
        ["?"],
    ],
    target_tokenizer="symbol",
)


def test_all_together():
    found = CORPUS.filtered(
        max_length=20, max_ratio=2.5, target_tokenizer="character"
    )
    assert list(found.pairs()) == [
        ("one two", "eins zwei"),
        ("one two", "eins"),
        ("one two", "neu"),
    ]
    assert found.sources == ["one two", "one two"]
    assert found.left_out == {
        "empty": 1,
        "broken": 1,
        "copy": 1,
        "long": 1,  # the first reason: it is uneven too
        "uneven": 2,  # 10 to 2, 6 to 2
        "repeated": 2,
    }
    kept = sum(map(len, found.references))
    assert kept + sum(found.left_out.values()) == 11
    assert found.target_tokenizer == "symbol"
    assert len(CORPUS) == 7 and CORPUS.left_out == {}


def test_without_limits():
    found = CORPUS.filtered()
    assert len(list(found.pairs())) == 6
    assert found.left_out == {"empty": 1, "broken": 1, "copy": 1, "repeated": 2}


def test_what_is_kept():
    found = CORPUS.filtered(keep=["empty", "broken", "copy", "repeated"])
    assert list(found) == list(CORPUS)
    assert found.left_out == {}
    found = ParallelCorpus(["a"], [[""]]).filtered(keep=["empty"], max_ratio=1)
    assert list(found.pairs()) == [("a", "")]


def test_lengths_are_those_of_the_tokenizers():
    corpus = ParallelCorpus.from_pairs([("a b c", "dddd")])
    words = {"source_tokenizer": "symbol", "target_tokenizer": "words"}
    assert len(corpus.filtered(max_length=5))  # characters
    with pytest.raises(ValueError, match="1 long"):
        corpus.filtered(max_length=4)
    assert len(corpus.filtered(max_length=3, **words))
    assert len(ParallelCorpus(*zip(*corpus), **words).filtered(max_length=3))
    with pytest.raises(ValueError, match="1 uneven"):
        corpus.filtered(max_ratio=2, **words)
    symbols = SymbolTokenizer.from_texts(["a b c"])
    characters = CharacterTokenizer.from_texts(["d"])
    own = {"source_tokenizer": symbols, "target_tokenizer": characters}
    assert len(corpus.filtered(max_length=4, max_ratio=1.4, **own))
    with pytest.raises(ValueError, match="1 uneven"):
        corpus.filtered(max_ratio=1.3, **own)


def test_nothing_left():
    corpus = ParallelCorpus(["a", ""], [["a"], ["b"]])
    with pytest.raises(ValueError, match="removed: 1 empty, 1 copy. Raise"):
        corpus.filtered()
    assert len(corpus[2:].filtered()) == 0  # nothing before


@pytest.mark.parametrize(
    ("arguments", "received"),
    [
        ({"max_length": 0}, "max_length=0"),
        ({"max_length": 1.5}, "max_length=1.5"),
        ({"max_ratio": 0.5}, "max_ratio=0.5"),
        ({"keep": ["long"]}, "keep='long'"),
        ({"keep": ["copies"]}, "keep='copies'"),
        ({"keep": "copy"}, "keep of type `str`"),
        ({"source_tokenizer": len}, "tokenizer of type `builtin"),
    ],
)
def test_errors(arguments, received):
    with pytest.raises((ValueError, TypeError), match=f"Received: {received}"):
        CORPUS.filtered(**arguments)
