import pytest

from keras_seq2seq.cli.pairs import read_pairs
from keras_seq2seq.data import ParallelCorpus
from keras_seq2seq.data import StreamedCorpus

PAIRS = [("one", "eins"), ("two", "zwei")]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pairs.tsv").write_text("one\teins\ntwo\tzwei\n")
    row = '{{"source": "{}", "target": "{}"}}\n'
    text = "".join(row.format(*pair) for pair in PAIRS)
    (tmp_path / "pairs.jsonl").write_text(text)
    (tmp_path / "a.en").write_text("one\ntwo\n")
    (tmp_path / "a.de").write_text("eins\nzwei\n")


@pytest.mark.parametrize("kind", [ParallelCorpus, StreamedCorpus])
@pytest.mark.parametrize(
    "files",
    [
        ("pairs.tsv", None, None),
        ("pairs.jsonl", None, None),
        (None, ["a.en"], ["a.de"]),
    ],
)
def test_formats(folder, kind, files):
    corpus = read_pairs(kind, *files, target_tokenizer="symbol")
    assert isinstance(corpus, kind)
    assert [*corpus.pairs()] == PAIRS
    assert corpus.target_tokenizer == "symbol"


@pytest.mark.parametrize("name", [".", "none.tsv"])
def test_no_file(folder, name):
    with pytest.raises(ValueError, match=f"Received: {name}, which is no"):
        read_pairs(ParallelCorpus, name, None, None)


@pytest.mark.parametrize(
    "files",
    [
        (None, None, None),
        (None, ["a"], None),
        (None, None, ["a"]),
        ("a", ["a"], None),
        ("a", ["a"], ["b"]),
    ],
)
def test_one_file_or_two_sides(files):
    with pytest.raises(ValueError, match="in `x`, one file, or in `x_source`"):
        read_pairs(ParallelCorpus, *files, prefix="x_")
