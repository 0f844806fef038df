import gzip
import os

import pytest

from keras_seq2seq.data import ParallelCorpus
from keras_seq2seq.data import StreamedCorpus
from keras_seq2seq.text import CharacterTokenizer

PAIRS = [
    ("one two", "eins zwei"),
    ("one two", "eins zwei"),
    ("one two", "eins"),
    ("", "nichts"),
    ("ok", "ok"),
    ("x", "x" * 30),
    ("ab", "abcdef"),
    ("\ufffd", "?"),
]


def write(folder):
    lines = [f"{source}\t{target}\n" for source, target in PAIRS]
    (folder / "pairs.tsv").write_text("".join(lines), "utf-8")
    return folder / "pairs.tsv"


def test_reads_anew(tmp_path):
    path = write(tmp_path)
    corpus = StreamedCorpus.from_tsv(path, target_tokenizer="symbol")
    assert [*corpus.pairs()] == [*corpus.pairs()] == PAIRS
    path.write_text("a\tb\n")
    assert [*corpus.pairs()] == [("a", "b")]
    assert corpus.target_tokenizer == corpus.in_memory().target_tokenizer
    assert repr(corpus.filtered()) == "StreamedCorpus(1 files, filtered)"


@pytest.mark.parametrize(
    "limits",
    [
        {},
        {"keep": ["copy", "repeated"]},
        {"max_length": 20, "max_ratio": 2.5},
        {"max_length": 2, "source_tokenizer": "symbol", "keep": ["broken"]},
    ],
)
def test_filters_as_in_memory(limits):
    names = {"target_tokenizer": "symbol"}
    corpus = StreamedCorpus.from_pairs(PAIRS, **names).filtered(**limits)
    expected = ParallelCorpus.from_pairs(PAIRS, **names).filtered(**limits)
    for _ in range(2):  # a pass remembers nothing of the one before
        assert [*corpus.pairs()] == [*expected.pairs()]
    run = corpus.begin_pass()
    for pair in corpus.unfiltered_pairs():
        run.keeps(*pair)
    assert run.counts == expected.left_out


def test_filters_take_known_lengths():
    tokenizer = CharacterTokenizer.from_texts(["a"])
    corpus = StreamedCorpus.from_pairs([("aa", "aaa")]).filtered(
        max_length=3, source_tokenizer=tokenizer, target_tokenizer=tokenizer
    )
    assert corpus.begin_pass().keeps("aa", "aaa")
    assert not corpus.begin_pass().keeps("aa", "aaa", lengths=(2, 4))


def test_splits_as_in_memory():
    pairs = [(f"text {i % 150}", str(i)) for i in range(200)]
    fractions = {"validation": 0.2, "test": 0.3}
    streamed = StreamedCorpus.from_pairs(pairs).split(**fractions)
    expected = ParallelCorpus.from_pairs(pairs).split(**fractions)
    for name in ("train", "validation", "test"):
        part = getattr(streamed, name)
        assert sorted(part.pairs()) == sorted(getattr(expected, name).pairs())
        assert part.in_memory().sources == getattr(expected, name).sources
    assert repr(streamed) == "CorpusSplits(train, validation, test: streamed)"


def test_from_files(tmp_path):
    (tmp_path / "a.en").write_text("one\ntwo\n")
    with gzip.open(tmp_path / "a.de.gz", "wt") as file:
        file.write("eins\nzwei\n")
    corpus = StreamedCorpus.from_files(tmp_path / "a.en", tmp_path / "a.de.gz")
    assert [*corpus.pairs()] == [("one", "eins"), ("two", "zwei")]


@pytest.mark.parametrize("kind", [StreamedCorpus, ParallelCorpus])
def test_from_rows(kind):
    rows = [
        {"translation": {"en": "one", "de": "eins"}, "a.b": "x"},
        {"translation": {"en": "two", "de": "zwei"}, "a.b": "y"},
    ]
    names = {"source": "translation.en", "target": "translation.de"}
    corpus = kind.from_rows(rows, **names)
    assert [*corpus.pairs()] == [("one", "eins"), ("two", "zwei")]
    names["target"] = "a.b"
    assert [*kind.from_rows(rows, **names).pairs()][1] == ("two", "y")
    for target, received in (
        ("translation.fr", "row 0, where it is missing"),
        ("translation", "row 0, where it is of type dict"),
    ):
        with pytest.raises(ValueError, match=received):
            [*kind.from_rows(rows, **{**names, "target": target}).pairs()]
    with pytest.raises(ValueError, match=r"rows\[0\] of type tuple"):
        [*kind.from_rows([("a", "b")], **names).pairs()]


@pytest.mark.parametrize("make", ["from_pairs", "from_rows"])
def test_iterators_end_once(make):
    with pytest.raises(TypeError, match="Received: an iterator, which ends"):
        getattr(StreamedCorpus, make)(iter([]))


def test_files_are_read_several_times(tmp_path):
    path = write(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    for name, problem in (
        ("pipe", "a pipe or device. Write its"),
        ("none", "which does not exist"),
        ("", "which is a folder"),
    ):
        with pytest.raises(OSError, match=problem):
            StreamedCorpus.from_files([path], [tmp_path / name])
