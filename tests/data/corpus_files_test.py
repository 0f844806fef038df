import gzip

import pytest

from keras_seq2seq.data import ParallelCorpus


@pytest.fixture
def write(tmp_path):
    def write(name, content):
        path = tmp_path / name
        content = content if isinstance(content, bytes) else content.encode()
        gzipped = path.suffix == ".gz"
        path.write_bytes(gzip.compress(content) if gzipped else content)
        return path

    return write


def test_two_files(write):
    corpus = ParallelCorpus.from_files(
        write("a.en", "\ufeffone\r\n\ntwo \u2028 three"),
        str(write("a.it", "uno\nniente\ndue\ttre\n")),
        target_tokenizer="symbol",
    )
    assert list(corpus.pairs()) == [
        ("one", "uno"),
        ("", "niente"),
        ("two \u2028 three", "due\ttre"),
    ]
    assert corpus.source_tokenizer == "character"
    assert corpus.target_tokenizer == "symbol"


def test_several_files_a_side_gzipped_and_plain(write):
    corpus = ParallelCorpus.from_files(
        [write("1.en", "a\nb\n"), write("2.en.gz", "ä\n")],
        (write("1.it.gz", "A\nB\n"), write("2.it", "C\n")),
    )
    assert list(corpus.pairs()) == [("a", "A"), ("b", "B"), ("ä", "C")]


def test_what_is_gzipped_is_seen_in_its_bytes(write, tmp_path):
    write("a.tsv.gz", "a\tb\n").rename(tmp_path / "a.tsv")
    corpus = ParallelCorpus.from_tsv(tmp_path / "a.tsv")
    assert corpus[0] == ("a", ["b"])
    (tmp_path / "b.tsv.gz").write_text("c\td\n")
    assert ParallelCorpus.from_tsv(tmp_path / "b.tsv.gz")[0] == ("c", ["d"])


def test_json_lines(write):
    path = write(
        "a.jsonl.gz",
        '{"source": "a\\tb", "target": "A", "more": 1}\n'
        '{"target": "", "source": "\\u00e4"}\n',
    )
    corpus = ParallelCorpus.from_json_lines(path, source_tokenizer="symbol")
    assert list(corpus.pairs()) == [("a\tb", "A"), ("ä", "")]
    assert corpus.source_tokenizer == "symbol"
    path = write("b.jsonl", '{"en": "a", "it": "b"}')
    corpus = ParallelCorpus.from_json_lines(path, source="en", target="it")
    assert corpus[0] == ("a", ["b"])


@pytest.mark.parametrize(
    ("source", "target", "received"),
    [
        ("a\nb\n", "a\n", r"a.en with 2 .*a.it with 1\. "),
        ("a\n", "a\nb\n\n", r"a.en with 1 .*a.it with 3\. "),
        (
            "",
            "a\n",
            r"`source` must be .* line. Received: .*a.en, an empty",
        ),
        (
            "a\n",
            "",
            r"`target` must be .* line. Received: .*a.it, an empty",
        ),
        ("a\nb\n", b"a\n\xff\n", r"`target`.*a.it, line 2, not valid from"),
        (b"\xff\xfea\0\n\0", "a\n", r"`source`.*a.en, line 1, .* -f utf-16 "),
    ],
)
def test_errors_of_two_files(write, source, target, received):
    paths = write("a.en", source), write("a.it", target)
    with pytest.raises(ValueError, match=received):
        ParallelCorpus.from_files(*paths)


def test_lines_are_compared_file_by_file(write):
    one, two = write("1.en", "a\nb\n"), write("2.en", "c\n")
    with pytest.raises(ValueError, match=r"1.en with 2 .*2.en with 1\."):
        ParallelCorpus.from_files([one, two], [two, one])
    with pytest.raises(ValueError, match=r"\(source\)=2, len\(target\)=1\."):
        ParallelCorpus.from_files([one, two], one)


@pytest.mark.parametrize(
    ("given", "received"), [([], "of type list."), (3, "of type int.")]
)
def test_errors_of_paths(given, received):
    with pytest.raises(ValueError, match=f"Received: target {received}"):
        ParallelCorpus.from_files("a.en", given)


def test_no_such_file(tmp_path):
    with pytest.raises(FileNotFoundError, match="a.en"):
        ParallelCorpus.from_files(tmp_path / "a.en", tmp_path / "a.it")


@pytest.mark.parametrize("kept", [-9, 25, 12])
def test_a_broken_archive(write, kept):
    path = write("a.tsv.gz", "".join(f"{i}\t{i * i}\n" for i in range(99)))
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(ValueError, match=r"`path`.*a.tsv.gz, a gzipped file"):
        ParallelCorpus.from_tsv(path)


def test_an_archive_with_other_bytes(write):
    path = write("a.tsv.gz", "a\tb\n" * 9)
    content = bytearray(path.read_bytes())
    content[-7] ^= 1  # of the checksum
    path.write_bytes(content)
    with pytest.raises(ValueError, match="damaged after line 9"):
        ParallelCorpus.from_tsv(path)


@pytest.mark.parametrize(
    ("line", "received"),
    [
        ("", "line 2, which is not JSON"),
        ('{"source": "a", ', "line 2, which is not JSON"),
        ("[" * 100_000, "line 2, which is not JSON"),
        ('["a", "b"]', "line 2, of type list"),
        ('{"source": "a"}', "'target'.*line 2, where it is missing"),
        ('{"source": 3, "target": ""}', "'source'.*line 2, .* of type int"),
    ],
)
def test_errors_of_json_lines(write, line, received):
    path = write("a.jsonl", f'{{"source": "a", "target": "b"}}\n{line}\n')
    with pytest.raises(ValueError, match=received):
        ParallelCorpus.from_json_lines(path)


def test_an_empty_file(write):
    for read in (ParallelCorpus.from_tsv, ParallelCorpus.from_json_lines):
        for name in ("a", "a.gz"):
            with pytest.raises(ValueError, match="`path`.*an empty file"):
                read(write(name, ""))


def test_files_are_closed(write, recwarn):
    paths = write("a.gz", "a\n"), write("b.gz", "a\nb\n")
    with pytest.raises(ValueError, match="same number of lines"):
        ParallelCorpus.from_files(*paths)
    assert not recwarn
