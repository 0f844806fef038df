import pytest

import keras_seq2seq as k2s
from keras_seq2seq.testing import run_tokenizer_test
from tests.helpers.subwords import SENTENCES

keras_hub = pytest.importorskip("keras_hub", exc_type=ImportError)
PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
PIECES = [*PIECES, "the", "qu", "##ick", "fox", "."]


def bert(**kwargs):
    return k2s.text.HubTokenizer(
        keras_hub.tokenizers.BertTokenizer(PIECES, lowercase=True), **kwargs
    )


def byte_pairs():
    vocabulary = {"a": 0, "b": 1, "ab": 2, "\u0120": 3, "\u0120ab": 4}
    merges = ["a b", "\u0120 ab"]
    return k2s.text.HubTokenizer(
        keras_hub.tokenizers.BytePairTokenizer(vocabulary, merges)
    )


def test_ids_are_the_hubs_after_four():
    tokenizer = bert()
    assert len(tokenizer.vocabulary) == 14
    hub = tokenizer.tokenizer("The quick fox.")
    assert [int(i) for i in hub] == [5, 6, 7, 8, 9]
    assert tokenizer.encode("The quick fox.") == [9, 10, 11, 12, 13]
    assert tokenizer.tokenize("quick") == ["qu", "##ick"]
    assert tokenizer.decode([10, 11, 12, 2, 0]) == "quick fox"


def test_tokens_around_a_text():
    tokenizer = bert(before=["[CLS]"], after=["[SEP]"])
    assert tokenizer.encode("fox") == [6, 12, 7]
    assert tokenizer.encode("") == [6, 7]
    assert tokenizer.decode([6, 12, 7]) == "fox"


def test_the_beginning_of_a_text_has_no_end():
    tokenizer = bert(before=["[CLS]"], after=["[SEP]"])
    assert tokenizer.encode_beginning("fox") == [6, 12]
    assert tokenizer.encode_beginning("") == []
    assert bert().encode_beginning("fox") == [12]
    with pytest.raises(
        ValueError, match=r"not add tokens to a text.*'\[CLS\]'"
    ):
        k2s.tasks.TextCompletion.from_texts(
            ["fox"],
            "zaremba_2014",
            tokenizer=tokenizer,
            units=4,
            embedding_dim=3,
        )


def test_text_spells_no_special_token():
    around = {6, 7}  # [CLS] and [SEP]
    assert not around & set(bert().encode("[CLS] fox [SEP]"))


def test_byte_pairs():
    tokenizer = byte_pairs()
    assert tokenizer.encode("ab ab") == [6, 8]
    assert tokenizer.decode([6, 8, 2]) == "ab ab"


@pytest.mark.parametrize(
    "make, text", [(bert, "the quick fox"), (byte_pairs, "ab ab")]
)
def test_battery(make, text):
    run_tokenizer_test(make(), [text, ""])


def test_errors():
    with pytest.raises(ValueError, match="10 tokens without 'CLS'"):
        bert(before=["CLS"])
    with pytest.raises(ValueError, match="sequence_length=3"):
        k2s.text.HubTokenizer(
            keras_hub.tokenizers.BertTokenizer(PIECES, sequence_length=3)
        )
    with pytest.raises(ValueError, match="type `str`"):
        k2s.text.HubTokenizer("bert")
    with pytest.raises(ValueError, match="not learned from texts"):
        k2s.text.HubTokenizer.from_texts(["ab"])
    pieces = [*PIECES, "[start]"]  # the separator, as an ordinary token
    with pytest.raises(ValueError, match=r"tokens\[10\] = '\[start.*Remove"):
        k2s.text.HubTokenizer(keras_hub.tokenizers.BertTokenizer(pieces))
    for tokenizer, ours in (
        (bert(), "None of ours"),
        (byte_pairs(), "BytePairTokenizer.from_files"),
        (sentencepieces(), r"`SubwordTokenizer\(path\)`"),
    ):
        with pytest.raises(
            NotImplementedError, match=f"core TensorFlow ops.*{ours}"
        ):
            tokenizer.graph("tables")


def test_the_same_files():
    """What the error of `graph` tells: pieces are the same."""
    hub = sentencepieces()
    ours = k2s.text.SubwordTokenizer(hub.tokenizer.proto)
    text = "the cat sat on the rats"
    assert ours.tokenize(text) == hub.tokenize(text)


def sentencepieces():
    model = k2s.text.SubwordTokenizer.from_texts(
        SENTENCES, vocabulary_size=380
    ).model
    # Its own special pieces have other names than those of a `Vocabulary`.
    for name in (b"[pad]", b"[start]", b"[end]", b"[unknown]"):
        model = model.replace(name, name.replace(b"[", b"<", 1))
    return k2s.text.HubTokenizer(
        keras_hub.tokenizers.SentencePieceTokenizer(model)
    )
