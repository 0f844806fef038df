import numpy as np
import pytest

from keras_seq2seq.tasks.learn_tokenizer import learn_tokenizer
from keras_seq2seq.testing import run_tokenizer_test
from keras_seq2seq.text import ByteTokenizer
from tests.helpers.texts import random_texts
from tests.helpers.texts import real_texts

COUNT = 10_000


def test_ids_are_bytes():
    tokenizer = learn_tokenizer("byte", ["ab"], "tokenizer")
    assert isinstance(tokenizer, ByteTokenizer)
    assert len(tokenizer.vocabulary) == 260
    for text in [*real_texts(COUNT), *random_texts(COUNT)]:
        ids = tokenizer.encode(text)
        assert ids == [4 + byte for byte in text.encode()]
        assert tokenizer.decode(ids) == text
    assert tokenizer.tokenize("é\0") == ["<0xC3>", "<0xA9>", "<0x00>"]
    assert tokenizer.spans("aé") == [(0, 1), (1, 2), (1, 2)]
    assert tokenizer.decode([4 + 0xC3, 3]) == "\ufffd\ufffd"


def test_battery():
    run_tokenizer_test(ByteTokenizer())


def test_graph_equals_python(tmp_path):
    tf = pytest.importorskip("tensorflow")
    from tests.helpers.tokenizer_graphs import assert_equal_graph

    texts = [*real_texts(COUNT), *random_texts(COUNT), "x" * 10_000]
    assert_equal_graph(ByteTokenizer(), texts, tmp_path)
    graph = ByteTokenizer().graph(str(tmp_path))
    ids, lengths = graph.encode([b"\xe7\x8c\xab\xff", b""], max_length=2)
    np.testing.assert_array_equal(ids, [[4 + 0xE7, 4 + 0x8C], [0, 0]])
    np.testing.assert_array_equal(lengths, [2, 0])
    ids = np.random.default_rng(0).integers(-1, 262, (500, 30), "int32")
    for text, row in zip(graph.decode(tf.constant(ids)).numpy(), ids):
        assert text.decode() == ByteTokenizer().decode(row)
