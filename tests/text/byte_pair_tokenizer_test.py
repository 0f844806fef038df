"""Byte-level BPE: ids of the package tokenizers, in Python and in the graph."""

import json
import sys

import numpy as np
import pytest
import tokenizers

from keras_seq2seq.testing import run_tokenizer_test
from keras_seq2seq.text import BytePairTokenizer
from keras_seq2seq.text import Vocabulary
from keras_seq2seq.text import character_classes
from tests.helpers.byte_pairs import trained
from tests.helpers.subwords import ODD
from tests.helpers.subwords import SENTENCES
from tests.helpers.texts import random_texts
from tests.helpers.texts import real_texts

COUNT = 10_000
MORE = [
    "!'s",
    "'s",
    "'sabc",
    " 's",
    "\n's",
    "  's",
    " \n's",
    "\n 's  ",
    "don't've'll 'S x'",
    "''s",
    "'re'll\u2019s'd5's",
    "'",
    "'r",
    "\u2581a \u2581",
    "猫" * 200,
    "ab" * 5000,
    " " * 700 + "a",
    "!'" * 300 + "s",
]


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    return from_package(trained(), tmp_path_factory.mktemp("plain"))


@pytest.fixture(scope="module")
def prefixed(tmp_path_factory):
    return from_package(trained(True, 1500), tmp_path_factory.mktemp("prefix"))


def from_package(tokenizer, folder):
    path = folder / "tokenizer.json"
    tokenizer.save(str(path))
    return BytePairTokenizer.from_file(path)


def saved(change, tmp_path):
    """Path of a file of which something is changed."""
    content = json.loads(trained().to_str())
    change(content)
    path = tmp_path / "tokenizer.json"
    path.write_text(json.dumps(content))
    return path


def test_words_by_hand(plain):
    """By the pattern of GPT-2."""
    tokenizer = BytePairTokenizer(
        Vocabulary(plain.vocabulary.tokens[2:258]), []
    )
    assert tokenizer.tokenize("a 猫\n") == [*"aĠç", "Į", "«", "Ċ"]
    assert tokenizer.encode("a")[0] == 4 + tokenizer.vocabulary.tokens.index(
        "a"
    )
    assert tokenizer.decode(tokenizer.encode("a 猫\n")) == "a 猫\n"


@pytest.mark.parametrize("name", ["plain", "prefixed"])
def test_ids_are_those_of_the_package(name, request):
    tokenizer = request.getfixturevalue(name)
    package = trained(*{"plain": (), "prefixed": (True, 1500)}[name])
    package.encode_special_tokens = True
    texts = [*real_texts(COUNT), *random_texts(COUNT), *ODD, *MORE]
    short = [text for text in texts if len(text.encode()) < 256]
    assert len(short) > 1.9 * COUNT
    for text in short:
        ids = package.encode(text).ids
        assert tokenizer.encode(text) == [i + 4 for i in ids], ascii(text)


def test_every_text_comes_back(plain, prefixed):
    for text in [*real_texts(COUNT)[::9], *random_texts(COUNT), *ODD, *MORE]:
        assert plain.decode(plain.encode(text)) == text
        found = prefixed.decode(prefixed.encode(text))
        is_added = text[:1] == " " and text[1:2] not in ("", " ")
        assert found == text[is_added:]  # " a" and "a" have the same ids


@pytest.mark.parametrize("name", ["plain", "prefixed"])
def test_graph_equals_python(name, request, tmp_path):
    pytest.importorskip("tensorflow")
    from tests.helpers.tokenizer_graphs import assert_equal_graph

    step = {"plain": 1, "prefixed": 9}[name]
    texts = [*real_texts(COUNT)[::step], *random_texts(COUNT)[::step]]
    tokenizer = request.getfixturevalue(name)
    assert_equal_graph(tokenizer, [*texts, *ODD, *MORE], tmp_path)


@pytest.mark.parametrize("max_length", [1, 9, 40])
def test_a_cut_text_has_the_ids_of_the_whole(plain, max_length):
    pytest.importorskip("tensorflow")
    texts = [*real_texts(COUNT)[:50], *random_texts(COUNT)[:300], *MORE]
    rows, lengths = plain.graph("").encode(
        [text.encode() for text in texts], max_length
    )
    for text, row, length in zip(texts, np.asarray(rows), lengths):
        own = plain.encode(text)[:max_length]
        assert row[:length].tolist() == own, ascii(text)


def test_random_ids(plain):
    tf = pytest.importorskip("tensorflow")
    generator = np.random.default_rng(0)
    limits = np.where(generator.random((600, 1)) < 0.5, 262, 2006)
    ids = generator.integers(0, limits, (600, 20), "int32")
    found = plain.graph("").decode(tf.constant(ids)).numpy()
    for text, row in zip(found, ids):
        assert text.decode() == plain.decode(row)


def test_battery(plain, prefixed):
    for tokenizer in (plain, prefixed):
        run_tokenizer_test(tokenizer)
        run_tokenizer_test(tokenizer, [*SENTENCES, *ODD, *MORE])


def test_special_tokens_are_no_text(plain):
    assert plain.special_tokens == ("<s>", "</s>")
    assert plain.vocabulary.tokens[:2] == ("<s>", "</s>")
    assert not {4, 5} & {*plain.encode("<s> </s>")}
    assert plain.decode([4, *plain.encode("a"), 5]) == "a"
    assert plain.decode([3, 9999]) == "\ufffd\ufffd"


def test_spans_are_of_whole_words(plain, prefixed):
    text = "the Qzxv,  (a\u0301) 猫"
    for tokenizer in (plain, prefixed):
        tokens, spans = tokenizer.tokenize(text), tokenizer.spans(text)
        words = [span and text[slice(*span)] for span in spans]
        assert len(tokens) == len(spans)
        assert {*words} == {"the", "Qzxv", ",", None, "(", "a\u0301", ")", "猫"}
        assert words[0] == "the" and words[-1] == "猫"


def test_files_of_gpt2(plain, tmp_path):
    trained().model.save(str(tmp_path))
    merges = (tmp_path / "merges.txt").read_text()
    assert merges.startswith("#version")
    files = tmp_path / "vocab.json", tmp_path / "merges.txt"
    tokenizer = BytePairTokenizer.from_files(*files)
    for text in SENTENCES + MORE:
        assert tokenizer.encode(text) == plain.encode(text)
    (tmp_path / "merges.txt").write_text(merges + "Ġzzq q\n")
    with pytest.raises(ValueError, match="`merges` must be pairs.*zzq"):
        BytePairTokenizer.from_files(*files)


@pytest.mark.skipif(
    not tokenizers.__version__.startswith("0.23."), reason="another Unicode"
)
def test_classes_are_those_of_the_package():
    """At both ends of each range, which is all that the table says."""
    split = character_classes.splitter()
    firsts, kinds = character_classes.class_ranges()
    assert len(firsts) > 1000 and firsts[0] == 0
    for first, kind, next_kind in zip(firsts[1:], kinds, kinds[1:]):
        before = 0xD7FF if first == 0xE000 else first - 1
        assert character_classes.probe_class(split, chr(before)) == kind
        assert character_classes.probe_class(split, chr(first)) == next_kind


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda x: x.pop("model"), "without a model"),
        (lambda x: x["model"].update(type="WordPiece"), "WordPiece, not BPE"),
        (lambda x: x.update(pre_tokenizer=None), "split as GPT-2"),
        (lambda x: x["pre_tokenizer"].update(use_regex=False), "split as"),
        (lambda x: x.update(normalizer={"type": "NFC"}), "normalizes"),
        (lambda x: x["model"].update(dropout=0.1), "with `dropout`"),
        (lambda x: x["model"].update(ignore_merges=True), "`ignore_merges`"),
        (lambda x: x["added_tokens"][0].update(special=False), "not special"),
        (lambda x: x["model"].update(vocab=[]), "no object of tokens"),
        (lambda x: x["model"]["vocab"].pop("a"), "without 1 of them"),
        (lambda x: x["model"].update(merges=[["a", "Q~"]]), "merges.0.="),
    ],
)
def test_files_that_are_refused(change, problem, tmp_path):
    with pytest.raises(ValueError, match=problem):
        BytePairTokenizer.from_file(saved(change, tmp_path))


def test_errors(plain, tmp_path, monkeypatch):
    path = tmp_path / "not.json"
    path.write_text("{")
    with pytest.raises(ValueError, match="not JSON. Give a `tokenizer.json`"):
        BytePairTokenizer.from_file(path)
    with pytest.raises(ValueError, match="not learned.*SubwordTokenizer"):
        BytePairTokenizer.from_texts(["ab"])
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    again = BytePairTokenizer.from_config(plain.get_config())
    with pytest.raises(ImportError, match=r"keras-seq2seq\[byte-pairs\]"):
        again.encode("a")
