import numpy as np
import pytest

from keras_seq2seq.testing import run_tokenizer_test
from keras_seq2seq.text import Vocabulary
from keras_seq2seq.text import WordTokenizer
from tests.helpers.subwords import ODD
from tests.helpers.subwords import SENTENCES
from tests.helpers.texts import random_texts
from tests.helpers.texts import real_texts

COUNT = 10_000
SETTINGS = [
    {},
    {"lowercase": True},
    {"split_punctuation": False},
    {"lowercase": True, "split_punctuation": False},
]


def learned(**settings):
    return WordTokenizer.from_texts(real_texts(COUNT), **settings)


def test_tokens_by_hand():
    tokenizer = WordTokenizer(Vocabulary([]))
    for text, tokens in {
        "Hello, world!": ["Hello", "￭,", "world", "￭!"],
        "it's": ["it", "￭'￭", "s"],
        " - a -b c- ": ["-", "a", "-￭", "b", "c", "￭-"],
        "(3.5)?!": ["(￭", "3", "￭.￭", "5", "￭)", "￭?", "￭!"],
        "a_1 e\u0301\u3000猫。": ["a_1", "e\u0301", "猫", "￭。"],
        "a\uffedb \uffed": ["a", "b"],
        "...": [".", "￭.", "￭."],
        "": [],
        " \n": [],
    }.items():
        assert tokenizer.tokenize(text) == tokens
    plain = WordTokenizer(Vocabulary([]), split_punctuation=False)
    assert plain.tokenize(" it's,\nA-b ") == ["it's,", "A-b"]
    small = WordTokenizer(Vocabulary([]), lowercase=True)
    assert small.tokenize("İT's Ok.") == ["İt", "￭'￭", "s", "ok", "￭."]


def test_size_and_count():
    texts = ["a b. a", "a. c"]
    tokenizer = WordTokenizer.from_texts(texts, vocabulary_size=6)
    assert tokenizer.vocabulary.tokens == ("a", "￭.")
    tokenizer = WordTokenizer.from_texts(texts, min_count=2)
    assert tokenizer.vocabulary.tokens == ("a", "￭.")
    assert tokenizer.encode("a b.") == [4, 3, 5]
    assert tokenizer.decode([4, 3, 5, 2, 4]) == "a [unknown]."


def test_texts_come_back():
    """What has single spaces, and only between words."""
    texts = [" ".join(text.split()) for text in real_texts(COUNT)]
    for settings in ({}, {"split_punctuation": False}):
        tokenizer = WordTokenizer.from_texts(texts, **settings)
        for text in texts:
            assert tokenizer.decode(tokenizer.encode(text)) == text
    tokenizer = WordTokenizer.from_texts(["a, b\nc"])
    assert tokenizer.decode(tokenizer.encode(" a ,\tb")) == "a [unknown] b"


def test_texts_of_tokens_that_no_text_has():
    tokenizer = WordTokenizer(Vocabulary(["a", "(￭", "￭)", "￭-￭"]))
    for ids, text in {
        (5, 6): "()",
        (6, 4, 5): ") a (",
        (7,): "-",
        (7, 7, 4): "--a",
        (4, 3, 4): "a [unknown] a",
    }.items():
        assert tokenizer.decode([*ids]) == text


@pytest.mark.parametrize("settings", SETTINGS)
def test_battery(settings):
    run_tokenizer_test(learned(**settings), [*SENTENCES, *ODD])
    texts = [text for text in SENTENCES + ODD if "[pad]" not in text]
    run_tokenizer_test(WordTokenizer.from_texts(texts, **settings))


@pytest.mark.parametrize("settings", SETTINGS)
def test_graph_equals_python(settings, tmp_path):
    tf = pytest.importorskip("tensorflow")
    from tests.helpers.tokenizer_graphs import assert_equal_graph

    tokenizer = learned(vocabulary_size=5000, **settings)
    step = 1 if settings == {"lowercase": True} else 5
    texts = [*real_texts(COUNT), *random_texts(COUNT)]
    texts = [*texts[::step], "x" * 10_000, "a. " * 5000]
    assert_equal_graph(tokenizer, texts, tmp_path)
    ids = np.random.default_rng(0).integers(-1, 5002, (500, 30), "int32")
    found = tokenizer.graph("").decode(tf.constant(ids)).numpy()
    for text, row in zip(found, ids):
        assert text.decode() == tokenizer.decode(row)


def test_vocabularies_that_are_refused():
    for token in ("a b", "\uffed", "\u3000", "a\uffedb"):
        with pytest.raises(ValueError, match="`vocabulary`.*from_texts"):
            WordTokenizer(Vocabulary([token]))
