"""A tokenizer's graph against its Python, on many texts."""

import numpy as np
import tensorflow as tf

from keras_seq2seq.text import to_utf8

BATCH = 1000
STRINGS = tf.TensorSpec([None], tf.string)


def assert_equal_graph(tokenizer, texts, folder):
    """Ids of all texts, and the texts that they decode to."""
    graph = tokenizer.graph(str(folder))
    rows = tf.TensorSpec([None, None], tf.int32)
    encode = tf.function(graph.encode, input_signature=[STRINGS])
    decode = tf.function(graph.decode, input_signature=[rows])
    for begin in range(0, len(texts), BATCH):
        batch = texts[begin : begin + BATCH]
        ids, lengths = encode([*map(to_utf8, batch)])
        back = decode(ids).numpy()
        for text, row, length, found in zip(
            batch, ids.numpy(), lengths.numpy(), back, strict=True
        ):
            own = tokenizer.encode(text)
            assert row[:length].tolist() == own, ascii(text)
            assert not np.any(row[length:])
            assert found.decode() == tokenizer.decode(own), ascii(text)
