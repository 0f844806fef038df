"""The graphs of both tokenizers against their Python."""

import sys

import numpy as np
import pytest

from keras_seq2seq.data import cmudict
from keras_seq2seq.text import CharacterTokenizer
from keras_seq2seq.text import SymbolTokenizer
from keras_seq2seq.text import Vocabulary
from keras_seq2seq.text import to_utf8

tf = pytest.importorskip("tensorflow")

ODD = "\0\t\n\v\f\r \x1c\x1f\x7f\x85\xa0\u2028\u3000\ufeff\ufffd\uffffİẞßΣσςǅ"


def encoder(graph):
    spec = tf.TensorSpec([None], tf.string)
    return tf.function(graph.encode, input_signature=[spec])


def assert_equal(tokenizer, encode, texts):
    ids, lengths = encode([to_utf8(text) for text in texts])
    expected = [tokenizer.encode(text) for text in texts]
    assert ids.dtype == lengths.dtype == tf.int32
    assert ids.shape == (len(texts), max(1, max(map(len, expected))))
    np.testing.assert_array_equal(lengths, list(map(len, expected)))
    padded = np.zeros(ids.shape, "int32")
    for row, tokens in zip(padded, expected):
        row[: len(tokens)] = tokens
    np.testing.assert_array_equal(ids, padded)


def random_texts(count):
    generator = np.random.default_rng(0)
    pools = [
        list(ODD),
        [chr(c) for c in range(128)],
        [chr(c) for c in range(0xD7F0, 0xE010)],  # the surrogates, and around
        [chr(c) for c in range(0x250)],
    ]
    for _ in range(count):
        everywhere = map(chr, generator.integers(0, sys.maxunicode + 1, 20))
        pool = [*pools[generator.integers(len(pools))], *everywhere]
        length = generator.integers(0, 30)
        # by index: an array of strings would drop NULs
        yield "".join(
            pool[i] for i in generator.integers(len(pool), size=length)
        )


def tokenizers():
    texts = list(random_texts(500))
    return [
        CharacterTokenizer.from_texts(texts, vocabulary_size=2000),
        CharacterTokenizer.from_texts(
            texts, vocabulary_size=2000, lowercase=False
        ),
        SymbolTokenizer.from_texts([*texts, *ODD, *"abc"]),
    ]


@pytest.mark.parametrize("tokenizer", tokenizers(), ids=lambda t: type(t))
def test_encode_equals_python(tokenizer, tmp_path):
    encode = encoder(tokenizer.graph(str(tmp_path)))
    assert_equal(tokenizer, encode, list(random_texts(10_000)))
    assert_equal(tokenizer, encode, list(ODD))
    assert_equal(tokenizer, encode, [f"x{char} y" for char in ODD])
    assert_equal(tokenizer, encode, [""])
    assert_equal(tokenizer, encode, ["[pad] [start] [end] [unknown]"])


def test_encode_equals_python_on_every_code_point(tmp_path):
    characters = [chr(code_point) for code_point in range(sys.maxunicode + 1)]
    known = characters[:0x3000] + characters[0x1E900:0x1EA00]
    known = [char for char in known if not "\ud800" <= char <= "\udfff"]
    tokenizer = CharacterTokenizer(Vocabulary(known))
    encode = encoder(tokenizer.graph(str(tmp_path)))
    everything = "".join(characters)
    texts = [everything[i : i + 256] for i in range(0, len(everything), 256)]
    assert_equal(tokenizer, encode, texts)


def test_encode_equals_python_on_a_dictionary(tmp_path):
    corpus = cmudict()
    parts = (corpus.train, corpus.validation, corpus.test)
    words = [word for part in parts for word in part.sources]
    phones = [group[0] for part in parts for group in part.references]
    tokenizer = CharacterTokenizer.from_texts(words[:2000], vocabulary_size=25)
    encode = encoder(tokenizer.graph(str(tmp_path / "words")))
    assert_equal(tokenizer, encode, words)
    assert_equal(tokenizer, encode, [word.upper() for word in words])
    tokenizer = SymbolTokenizer.from_texts(phones, vocabulary_size=40)
    graph = tokenizer.graph(str(tmp_path / "phones"))
    assert_equal(tokenizer, encoder(graph), phones)
    phones = phones[::10]
    texts = graph.decode(graph.encode(phones)[0]).numpy()
    assert texts.tolist() == [
        to_utf8(tokenizer.decode(tokenizer.encode(text))) for text in phones
    ]


@pytest.mark.parametrize("tokenizer", tokenizers(), ids=lambda t: type(t))
def test_decode_equals_python(tokenizer, tmp_path):
    graph = tokenizer.graph(str(tmp_path))
    spec = tf.TensorSpec([None, None, None], tf.int32)
    decode = tf.function(graph.decode, input_signature=[spec])
    generator = np.random.default_rng(1)
    ids = generator.integers(-2, len(tokenizer.vocabulary) + 2, (50, 3, 30))
    special = generator.integers(0, 4, ids.shape)
    ids = np.where(generator.random(ids.shape) < 0.1, special, ids)
    texts = decode(ids.astype("int32")).numpy()
    assert texts.shape == (50, 3)
    for text, row in zip(texts.ravel(), ids.reshape(-1, 30)):
        assert text == to_utf8(tokenizer.decode(row))


@pytest.mark.parametrize("tokenizer", tokenizers(), ids=lambda t: type(t))
def test_tokenize_equals_python(tokenizer, tmp_path):
    graph = tokenizer.graph(str(tmp_path))
    texts = [*random_texts(1000), *ODD, "", "ÀÉaǅ"]
    tokens = graph.tokenize([to_utf8(text) for text in texts]).numpy()
    for row, text in zip(tokens, texts):
        expected = list(map(to_utf8, tokenizer.tokenize(text)))
        assert row.tolist() == expected + [b""] * (len(row) - len(expected))
    written = graph.written([to_utf8(text) for text in texts]).numpy()
    for row, text in zip(written, texts):
        expected = [to_utf8(text[a:b]) for a, b in tokenizer.spans(text)]
        assert row[: len(expected)].tolist() == expected
        assert not any(row[len(expected) :])
    assert graph.tokenize(["", ""]).numpy().tolist() == [[b""], [b""]]
    assert graph.tokenize(["a b"], max_length=1).numpy().tolist() == [[b"a"]]


def test_decode_with_something_instead_of_unknown_tokens(tmp_path):
    vocabulary = Vocabulary(["a", "b"])
    ids = np.array([[4, 3, 3, 2, 3], [3, 1, 5, 3, 0]], "int32")
    instead = np.array([list("vwxyz"), ["r", "s", "t", "", "u"]])
    graph = SymbolTokenizer(vocabulary).graph(str(tmp_path / "symbols"))
    texts = graph.decode(ids, tf.constant(instead)).numpy()
    assert texts.tolist() == [b"a w x", b"r b [unknown]"]
    graph = CharacterTokenizer(vocabulary).graph(str(tmp_path / "characters"))
    texts = graph.decode(ids, tf.constant(instead)).numpy()
    assert texts.tolist() == [b"awx", "rb�".encode()]


def test_shapes(tmp_path):
    graph = CharacterTokenizer(Vocabulary(["a", "b"])).graph(str(tmp_path))
    ids, lengths = graph.encode(["", ""])
    np.testing.assert_array_equal(ids, [[0], [0]])
    np.testing.assert_array_equal(lengths, [0, 0])
    ids, lengths = graph.encode(["abab", "b"], max_length=2)
    np.testing.assert_array_equal(ids, [[4, 5], [5, 0]])
    np.testing.assert_array_equal(lengths, [2, 1])
    assert graph.decode([4, 5, 2, 4]).numpy() == b"ab"
    assert graph.decode(np.zeros((2, 0), "int32")).numpy().tolist() == [b""] * 2


def test_invalid_bytes_read_as_the_replacement_character(tmp_path):
    vocabulary = Vocabulary(["a", "\ufffd"])
    graph = CharacterTokenizer(vocabulary).graph(str(tmp_path / "characters"))
    ids, _ = graph.encode([b"a\xff", b"\xc3a"])
    np.testing.assert_array_equal(ids, [[4, 5], [5, 4]])
    graph = SymbolTokenizer(vocabulary).graph(str(tmp_path / "symbols"))
    ids, _ = graph.encode([b"a \xff"])
    np.testing.assert_array_equal(ids, [[4, 5]])
    graph = SymbolTokenizer(Vocabulary(["a"])).graph(str(tmp_path / "third"))
    ids, _ = graph.encode([b"a \xff"])
    np.testing.assert_array_equal(ids, [[4, 3]])


def test_saved_model_keeps_tables_of_equal_names_apart(tmp_path):
    module = tf.Module()
    tokenizers = [CharacterTokenizer(Vocabulary(list(t))) for t in ("ab", "ba")]
    module.graphs = [
        tokenizer.graph(str(tmp_path / str(index)))
        for index, tokenizer in enumerate(tokenizers)
    ]

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
    def encode_both(text):
        first, second = module.graphs
        ids, _ = second.encode(text)
        return {
            "first": first.encode(text)[0],
            "second": ids,
            "text": second.decode(ids),
        }

    tf.saved_model.save(module, str(tmp_path / "m"), signatures=encode_both)
    for index in range(2):  # the export must stand alone
        for file in (tmp_path / str(index)).iterdir():
            file.unlink()
    serve = tf.saved_model.load(str(tmp_path / "m")).signatures
    outputs = serve["serving_default"](tf.constant(["aB"]))
    np.testing.assert_array_equal(outputs["first"], [[4, 5]])
    np.testing.assert_array_equal(outputs["second"], [[5, 4]])
    assert outputs["text"].numpy() == [b"ab"]


def test_errors(tmp_path):
    CharacterTokenizer(Vocabulary(["a"])).graph(str(tmp_path))
    CharacterTokenizer(Vocabulary(["a"])).graph(str(tmp_path))  # the same again
    with pytest.raises(ValueError, match="`asset_folder`.*separate folder"):
        CharacterTokenizer(Vocabulary(["b"])).graph(str(tmp_path))
