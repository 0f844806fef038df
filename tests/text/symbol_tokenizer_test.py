import pytest

from keras_seq2seq.testing import run_tokenizer_test
from keras_seq2seq.text import SymbolTokenizer
from keras_seq2seq.text import Vocabulary


def test_basics():
    tokenizer = SymbolTokenizer(Vocabulary(["K", "EH", "S"]))
    assert tokenizer.tokenize(" K\tEH  s\n") == ["K", "EH", "s"]
    assert tokenizer.encode(" K\tEH  s\n") == [4, 5, 3]
    assert tokenizer.encode(" \v\f\r") == []
    assert tokenizer.decode([4, 5, 3, 6]) == "K EH [unknown] S"


def test_only_ascii_whitespace_separates():
    tokenizer = SymbolTokenizer(Vocabulary([]))
    assert tokenizer.tokenize("a\vb\fc\rd") == ["a", "b", "c", "d"]
    for char in "\x1c\x1d\x1e\x1f\x85\xa0\u2028\u3000\0":
        assert tokenizer.tokenize(f"a{char}b") == [f"a{char}b"]


def test_surrogates():
    tokenizer = SymbolTokenizer(Vocabulary(["a\ufffd"]))
    assert tokenizer.encode("a\ud800") == [4]


def test_round_trip():
    tokenizer = SymbolTokenizer.from_texts(["K EH R AH S", "K AA"])
    assert tokenizer.vocabulary.tokens == ("K", "AA", "AH", "EH", "R", "S")
    assert tokenizer.decode(tokenizer.encode("K EH R AH S")) == "K EH R AH S"


def test_battery():
    tokenizer = SymbolTokenizer(Vocabulary(["K", "EH"]))
    run_tokenizer_test(tokenizer)


def test_errors():
    with pytest.raises(ValueError, match="`vocabulary`.*whitespace"):
        SymbolTokenizer(Vocabulary(["a b"]))
