import io

import numpy as np
import pytest

import keras_seq2seq as k2s
from keras_seq2seq.tasks.copying import copy_words
from keras_seq2seq.tasks.copying import insert_words
from keras_seq2seq.tasks.copying import source_words
from keras_seq2seq.text import CharacterTokenizer
from keras_seq2seq.text import SymbolTokenizer
from keras_seq2seq.text import Vocabulary

CHARACTERS = CharacterTokenizer(Vocabulary(["a", "b"]))  # ids 4 and 5
WORD, OTHER = ((0, 5), "Quick"), ((6, 9), "fox")
WORDS = [None, WORD, WORD, OTHER, None]  # with a token on both sides


def test_pieces_of_a_word_are_copied_once():
    places = [1, 2, 3, 3, 2]
    assert copy_words([0, 1, 2, 3, 4], np.eye(5)[places], WORDS) == {
        0: "Quick",
        1: "",
        2: "fox",
        3: "fox",  # one piece, attended to twice
        4: "Quick",
    }
    # A known token between them begins anew.
    assert copy_words([0, 2], np.eye(5)[[1, 3, 2]], WORDS) == {
        0: "Quick",
        2: "Quick",
    }


def test_tokens_around_a_text_are_never_copied():
    attention = np.array([[0.7, 0.1, 0.0, 0.2, 0.0], [0.6, 0, 0, 0, 0.4]])
    assert copy_words([0, 1], attention, WORDS) == {0: "fox"}


def test_the_text():
    ids = np.array([1, 4, 3, 3, 5, 3])
    assert insert_words({2: "Éa", 3: ""}, ids, CHARACTERS) == "aÉab\ufffd"
    symbols = SymbolTokenizer(Vocabulary(["A", "B"]))
    text = insert_words({2: "Éa", 3: ""}, ids, symbols)
    assert text == "A Éa B [unknown]"


def test_words_as_they_were_written():
    assert source_words(CHARACTERS, "É\ud800") == [
        ((0, 1), "É"),
        ((1, 2), "\ufffd"),
    ]
    symbols = SymbolTokenizer(Vocabulary([]))
    assert source_words(symbols, "\tK\xa0  Ah ") == [
        ((1, 3), "K\xa0"),
        ((5, 7), "Ah"),
    ]


def test_a_tokenizer_without_spans_gives_its_tokens():
    class Reversing(CharacterTokenizer):
        spans = k2s.text.Tokenizer.spans

        def split(self, text):
            return super().split(text)[::-1]

    tokenizer = Reversing(Vocabulary(["a"]))
    assert source_words(tokenizer, "Ab") == [((0, 1), "b"), ((1, 2), "a")]


def test_spans_that_do_not_fit_are_not_taken():
    class Pairing(CharacterTokenizer):
        def split(self, text):
            return [text[i] for i in range(0, len(text), 2)]

    words = source_words(Pairing(Vocabulary(["a"])), "AbCd")
    assert words == [((0, 1), "A"), ((1, 2), "C")]


def test_without_attention_nothing_changes():
    task = k2s.tasks.TextToText.from_corpus(
        [("ab", "ab"), ("b", "b")],
        "sutskever_2014_small",
        units=4,
        embedding_dim=3,
        num_layers=1,
        search=k2s.search.GreedySearch(max_length=3),
    )
    weights, bias = task.model.output_layer.get_weights()
    bias[task.target_tokenizer.vocabulary.unknown_token_id] = 9.0
    task.model.output_layer.set_weights([weights, bias])
    plain = task.generate(["ab", "B"])
    assert plain == ["\ufffd" * 3] * 2
    assert task.generate(["ab", "B"], replace_unknown=True) == plain


@pytest.mark.parametrize("around", [(), ("[CLS]",)])
def test_words_of_a_hub_tokenizer(around):
    hub = pytest.importorskip("keras_hub", exc_type=ImportError)
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    pieces += ["the", "qu", "##ick", "fox", ".", "e"]
    tokenizer = k2s.text.HubTokenizer(
        hub.tokenizers.BertTokenizer(pieces, lowercase=True), before=around
    )
    text = "The  Quick É\tzebra."
    written = ["The", "Quick", "Quick", "É", "zebra", "."]
    words = source_words(tokenizer, text)
    assert len(words) == len(tokenizer.tokenize(text))
    assert words[: len(around)] == [None] * len(around)
    assert [word for _, word in words[len(around) :]] == written


def test_words_of_sentence_pieces():
    """Which are folded by NFKC: one ligature is two letters."""
    hub = pytest.importorskip("keras_hub", exc_type=ImportError)
    trainer = pytest.importorskip("sentencepiece").SentencePieceTrainer
    proto = io.BytesIO()
    trainer.Train(
        sentence_iterator=iter(["the fix", "a fox", "six fish"]),
        model_writer=proto,
        vocab_size=16,
        minloglevel=2,
    )
    tokenizer = k2s.text.HubTokenizer(
        hub.tokenizers.SentencePieceTokenizer(proto.getvalue())
    )
    text = "the  \ufb01sh Ω"
    words = source_words(tokenizer, text)
    assert len(words) == len(tokenizer.tokenize(text)) > 3
    written = list(dict.fromkeys(word for _, word in words))
    assert written == ["the", "\ufb01sh", "Ω"]


def test_words_of_byte_pairs():
    hub = pytest.importorskip("keras_hub", exc_type=ImportError)
    vocabulary = {"a": 0, "b": 1, "ab": 2, "\u0120": 3, "\u0120ab": 4}
    tokenizer = k2s.text.HubTokenizer(
        hub.tokenizers.BytePairTokenizer(vocabulary, ["a b", "\u0120 ab"])
    )
    words = source_words(tokenizer, "aab ab")
    assert [word for _, word in words] == ["aab", "aab", "ab"]
