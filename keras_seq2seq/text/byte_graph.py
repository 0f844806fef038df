"""The TensorFlow graph of `ByteTokenizer`."""

import functools

from keras_seq2seq.text import graph
from keras_seq2seq.text.subword_model import BYTES
from keras_seq2seq.text.utf8_graph import utf8_bytes
from keras_seq2seq.text.vocabulary import SPECIAL_TOKENS


def byte_graph(tokenizer):
    """`tf.Module` equal to a `ByteTokenizer`, for use in a `tf.function`.

    `encode`, `tokenize`, `written` and `decode` are those of
    `character_graph`; the tables are constants of the graph.

    Args:
        tokenizer: `ByteTokenizer`.

    Returns:
        `tf.Module` that tracks its tables.
    """
    import tensorflow as tf

    module = tf.Module(name="byte_graph")
    raw = {i: bytes([i - len(SPECIAL_TOKENS)]) for i in _ids()}
    module.texts = graph.constant_table(
        raw, tf.int64, tf.string, tokenizer.unknown_text
    )
    names = dict(zip(_ids(), BYTES))
    module.pieces = graph.constant_table(names, tf.int64, tf.string, "")
    module.encode = _encode
    module.tokenize = functools.partial(_tokenize, module.pieces)
    module.written = _written
    module.decode = functools.partial(_decode, module.texts)
    return module


def _ids():
    return range(len(SPECIAL_TOKENS), len(SPECIAL_TOKENS) + len(BYTES))


def _tokens(text, max_length):
    """Ragged ids, and for each the code point that it is of."""
    import tensorflow as tf

    characters = tf.strings.unicode_decode(
        text, "UTF-8", errors="replace", replacement_char=0xFFFD
    )
    if max_length is not None:
        characters = characters[:, :max_length]
    flat = tf.cast(characters.values, tf.int64)
    found, places = utf8_bytes(flat)
    ids = tf.RaggedTensor.from_value_rowids(
        found + len(SPECIAL_TOKENS),
        tf.gather(characters.value_rowids(), places),
        characters.nrows(),
    )
    return ids, tf.gather(flat, places)


def _encode(text, max_length=None):
    ids, _ = _tokens(text, max_length)
    return graph.pad(ids, max_length)


def _tokenize(pieces, text, max_length=None):
    ids, _ = _tokens(text, max_length)
    tokens = ids.with_values(pieces.lookup(ids.values))
    return graph.pad_tokens(tokens, max_length)


def _written(text, max_length=None):
    import tensorflow as tf

    ids, code_points = _tokens(text, max_length)
    code_points = tf.cast(code_points, tf.int32)[:, None]
    texts = tf.strings.unicode_encode(code_points, "UTF-8")
    return graph.pad_tokens(ids.with_values(texts), max_length)


def _decode(table, ids, instead=None):
    import tensorflow as tf

    ids = tf.cast(ids, tf.int64)
    texts = graph.with_unknown(table.lookup(ids), ids, instead)
    texts = tf.where(graph.keep(ids), texts, "")
    text = tf.strings.reduce_join(texts, axis=-1)
    return tf.strings.unicode_transcode(text, "UTF-8", "UTF-8")
