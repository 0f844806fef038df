import pytest

from keras_seq2seq.testing import run_tokenizer_test
from keras_seq2seq.text import CharacterTokenizer
from keras_seq2seq.text import Vocabulary


def test_basics():
    tokenizer = CharacterTokenizer(Vocabulary(["b", "a"]))
    assert tokenizer.tokenize("Ab c") == ["a", "b", " ", "c"]
    assert tokenizer.encode("Ab c") == [5, 4, 3, 3]
    assert tokenizer.encode("") == []
    assert tokenizer.decode([5, 4, 3]) == "ab\ufffd"


def test_from_texts():
    texts = ["Bab", "a"]
    tokenizer = CharacterTokenizer.from_texts(texts, lowercase=True)
    assert tokenizer.vocabulary.tokens == ("a", "b")
    tokenizer = CharacterTokenizer.from_texts(texts, lowercase=False)
    assert tokenizer.vocabulary.tokens == ("a", "B", "b")


def test_from_texts_reads_capitals_where_there_are_any():
    assert CharacterTokenizer.from_texts(iter(["bab", "é1"])).lowercase is True
    tokenizer = CharacterTokenizer.from_texts(iter(["bab", "É1"]))
    assert tokenizer.lowercase is False
    assert "É" in tokenizer.vocabulary


def test_lower_case_is_per_code_point():
    tokenizer = CharacterTokenizer(Vocabulary([]))
    # the small letter of İ is two code points, so it stays
    assert tokenizer.tokenize("İẞΣÀ") == ["İ", "ß", "σ", "à"]
    assert "ΑΣ".lower() == "ας"  # a final sigma, which looks at its neighbours
    assert tokenizer.tokenize("ΑΣ") == ["α", "σ"]


def test_nothing_is_normalised():
    tokenizer = CharacterTokenizer(Vocabulary(["é", "e", "\u0301"]))
    assert tokenizer.encode("é") == [4]
    assert tokenizer.encode("e\u0301") == [5, 6]


def test_odd_code_points():
    tokenizer = CharacterTokenizer(Vocabulary(["\0", "\n", "\ufffd", "😀"]))
    assert tokenizer.encode("\0\n😀\ud800\ufffd") == [4, 5, 7, 6, 6]
    assert tokenizer.decode([4, 5, 7]) == "\0\n😀"


def test_battery():
    tokenizer = CharacterTokenizer(Vocabulary(["a", "B"]), lowercase=False)
    run_tokenizer_test(tokenizer)


def test_errors():
    with pytest.raises(ValueError, match="`vocabulary`.*token of 2 char"):
        CharacterTokenizer(Vocabulary(["a", "ab"]))
