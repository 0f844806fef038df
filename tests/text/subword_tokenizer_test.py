import io
import sys

import pytest
import sentencepiece

from keras_seq2seq.testing import run_serialization_test
from keras_seq2seq.testing import run_tokenizer_test
from keras_seq2seq.text import SubwordTokenizer
from keras_seq2seq.text import subword_training
from tests.helpers.subwords import ODD
from tests.helpers.subwords import SENTENCES
from tests.helpers.subwords import encoded_by_hand
from tests.helpers.subwords import random_texts
from tests.helpers.subwords import small_tokenizer

TEXTS = [*SENTENCES, *ODD, *random_texts(300)]
DEFAULT_IDS = {"unk": 0, "bos": 1, "eos": 2, "pad": -1}
SPECIAL = ("[pad]", "[start]", "[end]", "[unknown]")


def trained(**settings):
    """Bytes of a model, by sentencepiece alone."""
    names = ("pad", "bos", "eos", "unk")
    settings = {
        **{f"{name}_id": i for i, name in enumerate(names)},
        **{f"{n}_piece": token for n, token in zip(names, SPECIAL)},
        "model_type": "bpe",
        "normalization_rule_name": "identity",
        "byte_fallback": True,
        "remove_extra_whitespaces": False,
        "hard_vocab_limit": False,
        "vocab_size": 300,
        "minloglevel": 2,
        **settings,
    }
    file = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(["the cat sat on the mat"]),
        model_writer=file,
        **settings,
    )
    return file.getvalue()


@pytest.fixture(scope="module")
def cats():
    texts = ["the cat sat on the mat", "the rat sat on the cat"]
    return SubwordTokenizer.from_texts(texts, vocabulary_size=282)


def test_special_tokens_bytes_and_pieces(cats):
    tokens = [cats.vocabulary.id_to_token(i) for i in range(282)]
    assert tuple(tokens[:4]) == SPECIAL
    assert tokens[4:260] == [f"<0x{byte:02X}>" for byte in range(256)]
    # The most frequent pair comes first, characters last.
    assert tokens[260] == "at"
    assert set("thecasonmr") | {"\u2581"} == set(tokens[-11:])


def test_pieces_by_hand(cats):
    assert cats.tokenize("the cats sat") == ["▁the", "▁cat", "s", "▁sat"]
    assert cats.tokenize("é") == ["▁", "<0xC3>", "<0xA9>"]
    assert cats.encode("é")[1:] == [4 + 0xC3, 4 + 0xA9]
    assert cats.tokenize("") == cats.encode("") == []
    assert cats.decode([4 + 0xC3, 4 + 0xA9, 2, 260]) == "é"


def test_ids_are_those_of_byte_pair_encoding():
    tokenizer = small_tokenizer()
    for text in TEXTS:
        assert tokenizer.encode(text) == encoded_by_hand(tokenizer, text)


def test_ids_are_those_of_sentencepiece():
    tokenizer = small_tokenizer()
    plain = sentencepiece.SentencePieceProcessor(model_proto=tokenizer.model)
    for text in TEXTS:
        if max(map(len, text.replace("\u2581", " ").split(" "))) < 256:
            assert tokenizer.encode(text) == plain.encode(text)
            assert tokenizer.tokenize(text) == plain.encode(text, out_type=str)


def test_round_trip():
    tokenizer = small_tokenizer()
    for text in TEXTS:
        found = tokenizer.decode(tokenizer.encode(text))
        assert found == text.replace("\u2581", " ")
        assert tokenizer.detokenize(tokenizer.tokenize(text)) == found
    assert tokenizer.decode(tokenizer.encode("a\ud800")) == "a\ufffd"


def test_text_gives_no_special_id():
    texts = ["[pad] [start] [end] [unknown] <0x41> a cat sat"] * 3
    tokenizer = SubwordTokenizer.from_texts(texts, vocabulary_size=268)
    for text in TEXTS + texts:
        assert min(tokenizer.encode(text), default=4) >= 4
        assert min(small_tokenizer().encode(text), default=4) >= 4
    assert 4 + ord("A") not in tokenizer.encode("<0x41>")


def test_decode_of_ids_that_no_text_has(cats):
    assert cats.decode([3, 260, -1, 999]) == "\ufffdat\ufffd\ufffd"
    assert cats.decode([4 + 0xE2, 4 + 0x82]) == "\ufffd"  # of three bytes
    assert cats.decode([0, 1, 260, 1, 260]) == "atat"
    assert cats.detokenize(["▁the", "écru"]) == "theécru"  # a copied word


def test_spans_are_of_whole_words(cats):
    text = " the cats,  été…x (a\u0301) \n"
    tokens, spans = cats.tokenize(text), cats.spans(text)
    assert len(spans) == len(tokens)
    found = [(t, s and text[slice(*s)]) for t, s in zip(tokens, spans)]
    assert found[:6] == [
        ("▁", None),  # a space behind it
        ("▁the", "the"),
        ("▁cat", "cats"),
        ("s", "cats"),
        ("<0x2C>", ","),
        ("▁", None),
    ]
    assert [s for t, s in found if t in ("<0xC3>", "<0xA9>")] == ["été"] * 4
    assert ("<0xE2>", "…") in found and ("<0x28>", "(") in found
    assert [word for _, word in found[-5:-3]] == ["a\u0301"] * 2
    assert found[-1] == ("<0x0A>", None)
    for text in TEXTS:
        spans = small_tokenizer().spans(text)
        assert len(spans) == len(small_tokenizer().tokenize(text))
        assert all(s is None or 0 <= s[0] < s[1] <= len(text) for s in spans)


def test_round_trip_of_the_config(cats, tmp_path):
    revived = run_serialization_test(cats)
    assert revived.encode("the cats sat") == cats.encode("the cats sat")
    path = tmp_path / "cats.model"
    path.write_bytes(cats.model)
    assert SubwordTokenizer(path).vocabulary.tokens == cats.vocabulary.tokens
    config = cats.get_config()
    place = config["model"].index("A", 3000)
    damaged = config["model"][:place] + "B" + config["model"][place + 1 :]
    for model in (damaged, config["model"][:-8], "é", None):
        with pytest.raises(ValueError, match="model is damaged.*Copy"):
            SubwordTokenizer.from_config({**config, "model": model})


def test_battery(cats):
    run_tokenizer_test(cats)
    run_tokenizer_test(small_tokenizer(), SENTENCES + ODD)


def test_training_is_repeatable():
    again = SubwordTokenizer.from_texts(SENTENCES, vocabulary_size=380)
    assert again.vocabulary.tokens == small_tokenizer().vocabulary.tokens


def test_texts_too_few_for_the_size():
    with pytest.warns(UserWarning, match="give, 2[67]. pieces.*=8000"):
        tokenizer = SubwordTokenizer.from_texts(["ab\0c", "ab \u2585"])
    # Neither NUL nor U+2585 takes its text away.
    assert {"ab", "c"} < set(tokenizer.vocabulary.tokens)


def test_errors_of_texts():
    learn = SubwordTokenizer.from_texts
    with pytest.raises(ValueError, match="`texts`.*type str"):
        learn("ab")
    with pytest.raises(TypeError, match="`texts`.*type NoneType"):
        learn(["ab", None])
    for texts in ([], [""], ["", ""]):
        with pytest.raises(ValueError, match="`texts`.*not empty"):
            learn(texts)
    with pytest.raises(ValueError, match="`model_type`.*bpe.*=.word"):
        learn(["ab"], model_type="word")
    with pytest.raises(ValueError, match="`normalization`.*nmt_nfkc.*=.nfc"):
        learn(["ab"], normalization="nfc")
    with pytest.raises(ValueError, match="`vocabulary_size`.*at least 261.*=9"):
        learn(["ab"], vocabulary_size=9)
    with pytest.raises(ValueError, match="at least 263. Received.*=261.*Raise"):
        learn(["ab"], vocabulary_size=261)
    with pytest.raises(KeyError, match="mine"):
        learn({}["mine"] for _ in range(2))
    with pytest.raises(TypeError, match="`text`.*type bytes"):
        small_tokenizer().encode(b"ab")


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"model_type": "word", "byte_fallback": False}, "another type"),
        ({"add_dummy_prefix": False}, "no space in front"),
        ({"treat_whitespace_as_suffix": True}, "no space in front"),
        ({"user_defined_symbols": ["xx"]}, "defined by a user"),
        ({"split_by_whitespace": False}, "space inside"),
    ],
)
def test_models_of_other_settings(settings, problem):
    with pytest.raises(ValueError, match=f"`model`.*{problem}.*from_texts"):
        SubwordTokenizer(trained(**settings))


def test_models_of_other_fields(cats):
    """Fields of the normalizer, behind the others: the last ones count."""
    for field, problem in {
        b"\x28\x00": "not escape spaces",
        b"\x12\x01a": "damaged normalization",
    }.items():
        size = bytes([len(field)])
        with pytest.raises(ValueError, match=problem):
            SubwordTokenizer(cats.model + b"\x1a" + size + field)
    with pytest.raises(ValueError, match="changes texts after decoding"):
        SubwordTokenizer(cats.model + b"\x2a\x03\x12\x01a")


def test_model_of_a_user():
    """Default special ids of sentencepiece, and a control piece."""
    model = trained(
        **{f"{name}_id": i for name, i in DEFAULT_IDS.items()},
        **{f"{name}_piece": f"<{name}>" for name in DEFAULT_IDS},
        control_symbols=["<sep>"],
        byte_fallback=False,
        vocab_size=30,
    )
    plain = sentencepiece.SentencePieceProcessor(model_proto=model)
    assert [plain.id_to_piece(i) for i in range(4)] == [
        *("<unk>", "<bos>", "<eos>"),
        "<sep>",
    ]
    tokenizer = SubwordTokenizer(model)
    size = plain.get_piece_size()
    pieces = [plain.id_to_piece(i) for i in range(3, size)]
    assert tokenizer.vocabulary.tokens == tuple(pieces)
    text = "the cats sat on 猫犬 mats"
    expected = [i + 1 if i else 3 for i in plain.encode(text)]
    assert tokenizer.encode(text) == expected
    assert expected.count(3) == 1  # both characters
    assert tokenizer.tokenize(text) == plain.encode(text, out_type=str)
    assert tokenizer.decode([4, *tokenizer.encode("the mat")]) == "the mat"
    assert tokenizer.encode("<sep>").count(4) == 0
    run_tokenizer_test(tokenizer, [*SENTENCES, *ODD[:-6]])


def test_learns_from_a_sample_of_many_texts(monkeypatch):
    monkeypatch.setattr(subword_training, "MOST_TEXTS", 20)
    texts = [f"number{i}" for i in range(200)]
    learned = SubwordTokenizer.from_texts(iter(texts), vocabulary_size=290)
    again = SubwordTokenizer.from_texts(texts, vocabulary_size=290)
    assert learned.model == again.model
    sample = subword_training._sample(texts)
    assert len({*sample}) == 20 and {*sample} < {*texts}
    # A place keeps its first text with probability 20 / 200.
    assert sum(x == y for x, y in zip(sample, texts)) < 10
    few = SubwordTokenizer.from_texts(sample, vocabulary_size=290)
    assert few.model == learned.model


def test_unigram_needs_a_new_package(cats, monkeypatch):
    monkeypatch.setattr(sentencepiece, "__version__", "0.2.1")
    with pytest.raises(ImportError, match="0.2.3.*version 0.2.1.*pip install"):
        SubwordTokenizer.from_texts(["ab"], model_type="unigram")
    with pytest.raises(ImportError, match="other ids"):
        SubwordTokenizer(trained(model_type="unigram", vocab_size=272))
    SubwordTokenizer(cats.model)


def test_errors_of_model_files(cats, tmp_path):
    for length in (0, 1, 2, 100, len(cats.model) // 2, len(cats.model) - 1):
        with pytest.raises(ValueError, match="`model`.*from_texts"):
            SubwordTokenizer(cats.model[:length])
    path = tmp_path / "not.model"
    path.write_text("the cat sat on the mat")
    with pytest.raises(ValueError, match="22 bytes.*damaged"):
        SubwordTokenizer(path)
    with pytest.raises(TypeError, match="`model` must be a path.*`int`"):
        SubwordTokenizer(3)


def test_without_the_package(cats, monkeypatch):
    monkeypatch.setitem(sys.modules, "sentencepiece", None)
    with pytest.raises(ImportError, match=r"keras-seq2seq\[subwords\]"):
        SubwordTokenizer.from_texts(["ab"])
    with pytest.raises(ImportError, match=r"keras-seq2seq\[subwords\]"):
        SubwordTokenizer.from_config(cats.get_config())
