"""All kinds of SentencePiece models, on many texts: graph, Python, package."""

import functools
import io

import numpy as np
import pytest
import sentencepiece

from keras_seq2seq.testing import run_tokenizer_test
from keras_seq2seq.text import SubwordTokenizer
from tests.helpers.subwords import ODD
from tests.helpers.subwords import SENTENCES
from tests.helpers.texts import random_texts
from tests.helpers.texts import real_texts

COUNT = 10_000
LEARNED = {
    "bpe": {},
    "bpe_nmt_nfkc": {"normalization": "nmt_nfkc"},
    "unigram": {"model_type": "unigram"},
    "unigram_nmt_nfkc": {"model_type": "unigram", "normalization": "nmt_nfkc"},
}
# Of a user: the settings of the package, where others are not given.
GIVEN = {
    "t5": {"pad_id": 0, "eos_id": 1, "unk_id": 2, "bos_id": -1},
    "bpe_nfkc_cf": {"model_type": "bpe", "normalization_rule_name": "nfkc_cf"},
    "llama": {
        "model_type": "bpe",
        "normalization_rule_name": "identity",
        "remove_extra_whitespaces": False,
        "byte_fallback": True,
        "allow_whitespace_only_pieces": True,
    },
    "unigram_of_spaces": {
        "normalization_rule_name": "identity",
        "remove_extra_whitespaces": False,
        "allow_whitespace_only_pieces": True,
    },
}
MORE = [
    *ODD,
    "\x01",
    " \x01 a",
    "\x01\x01",
    "\u3000 \xa0a\u3000",
    "\ufb01" * 300,
    "\ufdfa" * 40,
    "猫犬" * 200,
    "ab cd " * 400,
    "e\u0301" * 200,
    "    a    b",
    "\uac00\u11a8\u1100\u1161\u11a8",
]


@functools.cache
def tokenizer_of(kind):
    texts = real_texts(COUNT)[::5]
    if kind in LEARNED:
        return SubwordTokenizer.from_texts(
            texts, vocabulary_size=2000, **LEARNED[kind]
        )
    file = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(texts),
        model_writer=file,
        vocab_size=2000,
        minloglevel=2,
        **GIVEN[kind],
    )
    return SubwordTokenizer(file.getvalue())


def texts_for(kind):
    """10,000 real and 10,000 random ones for what is learned here."""
    step = 1 if kind in LEARNED else 7
    texts = [*real_texts(COUNT), *random_texts(COUNT)]
    return [*texts[::step], *MORE]


kinds = pytest.mark.parametrize("kind", [*LEARNED, *GIVEN])


@kinds
def test_ids_are_those_of_sentencepiece(kind):
    tokenizer = tokenizer_of(kind)
    plain = sentencepiece.SentencePieceProcessor(model_proto=tokenizer.model)
    names = [plain.id_to_piece(i) for i in range(plain.get_piece_size())]
    special = {
        plain.pad_id(): 0,
        plain.bos_id(): 1,
        plain.eos_id(): 2,
        plain.unk_id(): 3,
    }
    ids = [
        special.get(i, tokenizer.vocabulary.token_to_id(name))
        for i, name in enumerate(names)
    ]
    assert sorted({*ids, *range(4)}) == [*range(len(tokenizer.vocabulary))]
    texts = texts_for(kind)
    short = [x for x in texts if len(plain.normalize(x)) <= 256]
    assert len(short) > 0.9 * len(texts)
    for text in short:
        expected = [ids[i] for i in plain.encode(text)]
        assert tokenizer.encode(text) == expected, ascii(text)


@kinds
def test_graph_equals_python(kind, tmp_path):
    pytest.importorskip("tensorflow")
    from tests.helpers.tokenizer_graphs import assert_equal_graph

    assert_equal_graph(tokenizer_of(kind), texts_for(kind), tmp_path)


@pytest.mark.parametrize("kind", ["unigram_nmt_nfkc", "t5"])
@pytest.mark.parametrize("max_length", [1, 9, 40])
def test_a_cut_text_has_the_ids_of_the_whole(kind, max_length):
    pytest.importorskip("tensorflow")
    tokenizer = tokenizer_of(kind)
    texts = [*real_texts(COUNT)[:50], *random_texts(COUNT)[:300], *MORE]
    texts += [" " * 5000 + "a b" * 2000, "猫" * 5000 + " a" * 500]
    rows, lengths = tokenizer.graph("").encode(
        [text.encode() for text in texts], max_length
    )
    for text, row, length in zip(texts, np.asarray(rows), lengths):
        own = tokenizer.encode(text)[:max_length]
        assert row[:length].tolist() == own, ascii(text)


@kinds
def test_battery(kind):
    run_tokenizer_test(tokenizer_of(kind), [*SENTENCES, *MORE])


def test_normalized_by_hand():
    tokenizer = tokenizer_of("bpe_nmt_nfkc")
    for text, plain in {
        "  a\u3000 b ": "a b",
        "\ufb01 \u2167": "fi VIII",
        "a\tb\x01": "a b",
        "e\u0301": "\xe9",
        "   ": "",
    }.items():
        assert tokenizer.decode(tokenizer.encode(text)) == plain
    assert tokenizer.spans("a b") is None
    assert tokenizer_of("bpe").spans("a b") == [(0, 1), (2, 3)]


def test_the_best_way_by_brute_force():
    """Of all ways to cut a word, the one whose scores add up to the most."""
    tokenizer = tokenizer_of("unigram")
    normal = tokenizer.pieces.normal
    for word in ("interpreter", "classes", "Berlin", "attribute"):
        text = "\u2581" + word
        best = max(
            (way for way in _ways(text) if all(x in normal for x in way)),
            key=lambda way: sum(normal[piece][1] for piece in way),
        )
        assert tokenizer.tokenize(word) == best


def _ways(text):
    if not text:
        yield []
    for end in range(1, len(text) + 1):
        for rest in _ways(text[end:]):
            yield [text[:end], *rest]


def test_damaged_normalization():
    model = tokenizer_of("bpe_nmt_nfkc").model
    charsmap = tokenizer_of("bpe_nmt_nfkc").pieces.charsmap
    for damaged in (charsmap[:3], charsmap[:4000], charsmap + b"a"):
        with pytest.raises(ValueError, match="damaged normalization"):
            SubwordTokenizer(model + _normalizer_field(damaged))
    head = charsmap[: 4 + int.from_bytes(charsmap[:4], "little")]
    with pytest.raises(ValueError, match="two spaces"):
        SubwordTokenizer(model + _normalizer_field(head + b"a  b\0"))


def _normalizer_field(charsmap):
    """Field 3 of a model, with field 2 in it: of two the last one counts."""
    inner = b"\x12" + _varint(len(charsmap)) + charsmap
    return b"\x1a" + _varint(len(inner)) + inner


def _varint(number):
    found = []
    while number > 127:
        found.append(number & 127 | 128)
        number >>= 7
    return bytes([*found, number])
