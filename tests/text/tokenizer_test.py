import numpy as np
import pytest

from keras_seq2seq.text import CharacterTokenizer
from keras_seq2seq.text import SymbolTokenizer
from keras_seq2seq.text import Tokenizer
from keras_seq2seq.text import Vocabulary

TOKENIZERS = (CharacterTokenizer, SymbolTokenizer)


def test_is_abstract():
    with pytest.raises(TypeError, match="abstract"):
        Tokenizer(Vocabulary([]))


@pytest.mark.parametrize("tokenizer_class", TOKENIZERS)
class TestEveryTokenizer:
    def test_decode_stops_at_end_and_skips_specials(self, tokenizer_class):
        tokenizer = tokenizer_class(Vocabulary(["a", "b"]))
        ids = [1, 4, 0, 1, 5, 2, 4, 2, 0]
        expected = tokenizer.detokenize(["a", "b"])
        assert tokenizer.decode(ids) == expected
        assert tokenizer.decode(np.array(ids, "int32")) == expected
        assert tokenizer.decode([]) == tokenizer.decode([2, 4]) == ""

    def test_ids_outside_the_vocabulary_read_as_unknown(self, tokenizer_class):
        tokenizer = tokenizer_class(Vocabulary(["a"]))
        unknown = tokenizer.unknown_text
        assert tokenizer.decode([3]) == unknown
        assert tokenizer.decode([5]) == unknown
        assert tokenizer.decode([-1]) == unknown

    def test_text_never_gives_a_special_id(self, tokenizer_class):
        tokenizer = tokenizer_class(Vocabulary(["a"]))
        assert set(tokenizer.encode("[pad] [start] [end]")) <= {3, 4}

    def test_from_texts_limits(self, tokenizer_class):
        texts = ["b", "a", "b", "c", "a"]  # both kinds see the same tokens
        tokenizer = tokenizer_class.from_texts(texts, min_count=2)
        assert tokenizer.vocabulary.tokens == ("a", "b")
        tokenizer = tokenizer_class.from_texts(texts, vocabulary_size=5)
        assert tokenizer.vocabulary.tokens == ("a",)

    def test_config(self, tokenizer_class):
        tokenizer = tokenizer_class(Vocabulary(["b", "a"]))
        again = tokenizer_class.from_config(tokenizer.get_config())
        assert again.vocabulary.tokens == ("b", "a")

    @pytest.mark.parametrize(
        ("value", "kind"), [(None, "NoneType"), (1.5, "float"), (b"a", "bytes")]
    )
    def test_errors_of_text(self, tokenizer_class, value, kind):
        tokenizer = tokenizer_class(Vocabulary(["a"]))
        with pytest.raises(TypeError, match=rf"`text`.*type {kind}.*decode"):
            tokenizer.encode(value)
        with pytest.raises(TypeError, match=rf"`text`.*type {kind}"):
            tokenizer.tokenize(value)

    def test_errors(self, tokenizer_class):
        with pytest.raises(TypeError, match="`vocabulary`.*type list"):
            tokenizer_class(["a"])
        with pytest.raises(ValueError, match="`texts`.*type str"):
            tokenizer_class.from_texts("ab")
        with pytest.raises(TypeError, match="`text`.*type NoneType"):
            tokenizer_class.from_texts(["a", None])
        tokenizer = tokenizer_class(Vocabulary(["a"]))
        with pytest.raises(ValueError, match=r"`ids`.*shape \(1, 2\)"):
            tokenizer.decode([[4, 4]])
        with pytest.raises(ValueError, match=r"`ids`.*dtype float64"):
            tokenizer.decode([4.0])
