import pytest

from keras_seq2seq.data import ParallelCorpus


def corpus():
    return ParallelCorpus(["a", "b", "c"], [["A"], ["B", "BB"], ["C"]])


def test_basics():
    assert len(corpus()) == 3
    assert repr(corpus()) == "ParallelCorpus(3 sources, 4 references)"
    assert corpus()[1] == ("b", ["B", "BB"])
    assert corpus()[-1] == ("c", ["C"])
    assert list(corpus())[0] == ("a", ["A"])
    with pytest.raises(IndexError):
        corpus()[3]


def test_pairs():
    assert list(corpus().pairs()) == [
        ("a", "A"),
        ("b", "B"),
        ("b", "BB"),
        ("c", "C"),
    ]


def test_slices():
    part = corpus()[1:]
    assert isinstance(part, ParallelCorpus)
    assert part.sources == ["b", "c"]
    assert part.references == [["B", "BB"], ["C"]]
    assert len(corpus()[5:]) == 0


def test_tokenizer_names_travel_along(tmp_path):
    names = {"source_tokenizer": "symbol", "target_tokenizer": "character"}
    path = tmp_path / "pairs.tsv"
    path.write_text("a\tb\n")
    for corpus in (
        ParallelCorpus(["a"], [["b"]], **names)[:1],
        ParallelCorpus.from_pairs([("a", "b")], **names),
        ParallelCorpus.from_tsv(path, **names),
    ):
        assert corpus.source_tokenizer == "symbol"
        assert corpus.target_tokenizer == "character"


def test_copies_its_lists():
    references = [["A"]]
    corpus = ParallelCorpus(["a"], references)
    references[0].append("B")
    assert corpus.references == [["A"]]


def test_from_pairs_groups_equal_sources_in_order():
    pairs = [("b", "2"), ("a", "1"), ("b", "0"), ("b", "2")]
    corpus = ParallelCorpus.from_pairs(pairs)
    assert corpus.sources == ["b", "a"]
    assert corpus.references == [["2", "0", "2"], ["1"]]


def test_from_any_iterable():
    rows = ({"en": text, "de": text.upper()} for text in "aba")
    corpus = ParallelCorpus.from_pairs((row["en"], row["de"]) for row in rows)
    assert list(corpus) == [("a", ["A", "A"]), ("b", ["B"])]
    assert list(ParallelCorpus.from_pairs({"a": "A"}.items())) == [("a", ["A"])]


@pytest.mark.parametrize("pairs", ["pairs.tsv", 3, None])
def test_errors_of_what_is_no_iterable(pairs):
    with pytest.raises(
        TypeError, match="`pairs` must be .* Received: pairs of"
    ):
        ParallelCorpus.from_pairs(pairs)


def test_from_tsv(tmp_path):
    path = tmp_path / "pairs.tsv"
    path.write_bytes("\ufeffä\tA B\r\nb\t\nä\tC\u2028D\n".encode())
    corpus = ParallelCorpus.from_tsv(path)
    assert corpus.sources == ["ä", "b"]
    assert corpus.references == [["A B", "C\u2028D"], [""]]


@pytest.mark.parametrize(
    ("content", "received"),
    [
        (b"a\tb\nc d\n", r"pairs.tsv, line 2, with 0 tabs"),
        (b"a\tb\n\n", r"pairs.tsv, line 2, with 0 tabs"),
        (b"a\tb\tc\n", r"pairs.tsv, line 1, with 2 tabs"),
        (b"a\tb\na\t\xff\n", r"pairs.tsv, line 2, not valid from byte 2"),
    ],
)
def test_errors_of_files(tmp_path, content, received):
    path = tmp_path / "pairs.tsv"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=f"`path`.*Received: .*{received}"):
        ParallelCorpus.from_tsv(path)


@pytest.mark.parametrize(
    ("sources", "references", "received"),
    [
        (["a"], [], r"len\(sources\)=1, len\(references\)=0"),
        ("a", [["A"]], "sources of type str"),
        (iter(["a"]), [["A"]], "sources of type list_iterator"),
        ([1], [["A"]], r"sources\[0\] of type int"),
        (["a"], ["A"], r"references\[0\] of type str"),
        (["a"], [None], r"references\[0\] of type NoneType"),
        (["a"], [[]], r"len\(references\[0\]\)=0"),
        (["a"], [["A", 2]], r"a text in references\[0\] of type int"),
    ],
)
def test_errors(sources, references, received):
    with pytest.raises(ValueError, match=f"Received: {received}"):
        ParallelCorpus(sources, references)


@pytest.mark.parametrize("pair", ["ab", ("a",), ("a", ["b"]), ("a", "b", "c")])
def test_errors_of_pairs(pair):
    with pytest.raises(ValueError, match=r"`pairs`.*Received: pairs\[1\]"):
        ParallelCorpus.from_pairs([("a", "b"), pair])


def test_an_error_says_what_a_pair_is_made_of():
    with pytest.raises(ValueError, match=r"a tuple of \['str', 'int'\]"):
        ParallelCorpus.from_pairs([("a", 1)])


def test_parts_of_a_filtered_corpus_know_what_was_left_out():
    pairs = [("a", "b"), ("c", ""), ("d", "d"), ("e", "fffff"), ("g", "")]
    corpus = ParallelCorpus.from_pairs(pairs).filtered(keep=["repeated"])
    counts = {"empty": 2, "broken": 0, "copy": 1}
    splits = corpus.split(validation=0.3, test=0.3)
    for part in (splits.train, splits.validation, splits.test, corpus[:1]):
        assert part.left_out == counts
    again = corpus.filtered(max_length=3, keep=["copy"])
    assert again.left_out == {**counts, "long": 1, "repeated": 0}
    assert corpus.left_out == counts
