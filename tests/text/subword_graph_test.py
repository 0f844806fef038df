"""The graph of `SubwordTokenizer` against its Python."""

import numpy as np
import pytest

from keras_seq2seq.text import SubwordTokenizer
from keras_seq2seq.text import to_utf8
from tests.helpers.subwords import ODD
from tests.helpers.subwords import SENTENCES
from tests.helpers.subwords import random_texts
from tests.helpers.subwords import small_tokenizer

tf = pytest.importorskip("tensorflow")

TEXTS = [*SENTENCES, *ODD, *random_texts(300)]


def strings(texts):
    return tf.constant([to_utf8(text) for text in texts])


@pytest.fixture(scope="module")
def graph():
    module = small_tokenizer().graph("unused")
    text = tf.TensorSpec([None], tf.string)
    for name in ("encode", "tokenize", "written"):
        own = tf.function(getattr(module, name))
        setattr(module, name, own)
        own.get_concrete_function(text)
    ids = tf.TensorSpec([None, None], tf.int32)
    module.decode = tf.function(module.decode)
    module.decode.get_concrete_function(ids)
    return module


def assert_padded(rows, expected, pad):
    for row, own in zip(rows.tolist(), expected, strict=True):
        assert row == [*own, *[pad] * (len(row) - len(own))]


def test_ids_equal_those_of_python(graph):
    ids, lengths = graph.encode(strings(TEXTS))
    expected = [small_tokenizer().encode(text) for text in TEXTS]
    assert ids.dtype == lengths.dtype == tf.int32
    assert ids.shape[1] == max(map(len, expected))
    np.testing.assert_array_equal(lengths, list(map(len, expected)))
    assert_padded(ids.numpy(), expected, 0)


@pytest.mark.parametrize("texts", [["a"], [""], ["", ""], ["", "猫 x", ""]])
def test_few_texts(graph, texts):
    ids, lengths = graph.encode(strings(texts))
    expected = [small_tokenizer().encode(text) for text in texts]
    assert ids.shape == (len(texts), max(1, *map(len, expected), 1))
    assert lengths.numpy().tolist() == list(map(len, expected))
    assert_padded(ids.numpy(), expected, 0)
    assert graph.written(strings(texts)).shape == ids.shape


def test_tokens_and_words_equal_those_of_python(graph):
    tokenizer = small_tokenizer()
    tokens = graph.tokenize(strings(TEXTS)).numpy()
    expected = [[*map(to_utf8, tokenizer.tokenize(x))] for x in TEXTS]
    assert_padded(tokens, expected, b"")
    words = graph.written(strings(TEXTS)).numpy()
    expected = [
        [to_utf8(text[slice(*s)]) if s else b"" for s in tokenizer.spans(text)]
        for text in TEXTS
    ]
    assert_padded(words, expected, b"")


@pytest.mark.parametrize("max_length", [1, 2, 7, 40])
def test_a_cut_text_has_the_ids_of_the_whole(max_length):
    module = small_tokenizer().graph("unused")
    ids, lengths = module.encode(strings(TEXTS), max_length)
    expected = [small_tokenizer().encode(text)[:max_length] for text in TEXTS]
    assert_padded(ids.numpy(), expected, 0)
    assert lengths.numpy().tolist() == list(map(len, expected))
    words = module.written(strings(TEXTS), max_length).numpy()
    whole = module.written(strings(TEXTS)).numpy()
    # A word at the cut may be cut too, behind the characters that are read.
    short = [max(map(len, [*text.split(), ""])) < 99 for text in TEXTS]
    np.testing.assert_array_equal(words[short], whole[short, : words.shape[1]])


def test_texts_of_ids_equal_those_of_python(graph):
    tokenizer, generator = small_tokenizer(), np.random.default_rng(0)
    size = len(tokenizer.vocabulary)
    limits = np.where(generator.random((600, 1)) < 0.5, 260, size + 2)
    ids = generator.integers(0, limits, (600, 20), "int32")
    ids[::7, :5] = generator.integers(-2, 4, ids[::7, :5].shape)
    texts = graph.decode(ids).numpy()
    for text, row in zip(texts, ids, strict=True):
        assert text.decode() == tokenizer.decode(row)
    encoded, _ = graph.encode(strings(TEXTS))
    texts = graph.decode(encoded).numpy()
    assert [x.decode() for x in texts] == [
        text.replace("\u2581", " ") for text in TEXTS
    ]


def test_bytes_that_are_no_utf8(graph):
    broken = [b"a\xff", b"\xe7\x8c", b"\xe7\x8cab", b"\xc3\xed\xa0\x80 \xf0"]
    ids, lengths = graph.encode(tf.constant(broken))
    replaced = [text.decode(errors="replace") for text in broken]
    expected = [small_tokenizer().encode(text) for text in replaced]
    assert_padded(ids.numpy(), expected, 0)
    assert lengths.numpy().tolist() == list(map(len, expected))


def test_a_tokenizer_without_a_pair():
    tokenizer = SubwordTokenizer.from_texts([" "], vocabulary_size=261)
    ids, _ = tokenizer.graph("unused").encode(["a ", ""])
    np.testing.assert_array_equal(ids, [[260, 4 + ord("a"), 260], [0, 0, 0]])


def test_words_instead_of_unknown_tokens():
    tokenizer = small_tokenizer()
    module = tokenizer.graph("unused")
    the = tokenizer.vocabulary.token_to_id("\u2581the")
    ids = np.array([[the, 3, 3, 2, 3], [3, 1, the, 0, 3]], "int32")
    instead = [["x", " a", "", "b", "c"], [" a\u2581b", "x", "y", "z", "猫"]]
    texts = module.decode(ids, tf.constant(instead)).numpy()
    assert [x.decode() for x in texts] == ["the a\ufffd", "a b the猫"]


def test_a_saved_model_needs_no_files(tmp_path):
    module = SubwordTokenizer(small_tokenizer().model).graph("unused")

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
    def there_and_back(text):
        ids, lengths = module.encode(text, 50)
        return {"ids": ids, "text": module.decode(ids), "lengths": lengths}

    tf.saved_model.save(module, str(tmp_path), signatures=there_and_back)
    assert not [*(tmp_path / "assets").iterdir()]
    serve = tf.saved_model.load(str(tmp_path)).signatures["serving_default"]
    found = serve(strings(SENTENCES))
    expected = [small_tokenizer().encode(text)[:50] for text in SENTENCES]
    assert_padded(found["ids"].numpy(), expected, 0)
    back = [small_tokenizer().decode(row) for row in expected]
    assert [x.decode() for x in found["text"].numpy()] == back
