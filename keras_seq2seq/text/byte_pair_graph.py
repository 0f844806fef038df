"""The TensorFlow graph of `BytePairTokenizer`."""

import functools

import numpy as np

from keras_seq2seq.text import graph
from keras_seq2seq.text.byte_pair_file import CHARACTERS
from keras_seq2seq.text.byte_pair_split import word_starts
from keras_seq2seq.text.byte_pair_tokenizer import LONGEST_WORD
from keras_seq2seq.text.merge_graph import HALF
from keras_seq2seq.text.merge_graph import joined
from keras_seq2seq.text.subword_model import SPACE
from keras_seq2seq.text.utf8_graph import utf8_bytes
from keras_seq2seq.text.vocabulary import SPECIAL_TOKENS
from keras_seq2seq.text.written_words_graph import begun_words


def byte_pair_graph(tokenizer):
    """`tf.Module` equal to a `BytePairTokenizer`, for use in a `tf.function`.

    `encode`, `tokenize`, `written` and `decode` are those of `subword_graph`.
    The bytes of the whole batch lie in one row.

    Args:
        tokenizer: `BytePairTokenizer`.

    Returns:
        `tf.Module` that tracks its tables.
    """
    import tensorflow as tf

    tokens = dict(enumerate(tokenizer.vocabulary.tokens, len(SPECIAL_TOKENS)))
    ids = {token: index for index, token in tokens.items()}
    raw = {i: tokenizer.bytes_of(token) for i, token in tokens.items()}
    module = tf.Module(name="byte_pair_graph")
    module.longest = max(map(len, raw.values()))
    module.byte_ids = np.array([ids[x] for x in CHARACTERS], "int64")
    pairs = {
        ids[left] * HALF + ids[right]: rank
        for rank, (left, right) in enumerate(tokenizer.merges)
    }
    # No table may be empty.
    pairs = {-1: -1, **pairs}
    module.pairs = graph.constant_table(pairs, tf.int64, tf.int64, -1)
    results = [ids["".join(pair)] for pair in tokenizer.merges]
    module.results = np.array([*results, 0], "int64")
    module.pieces = graph.constant_table(tokens, tf.int64, tf.string, "")
    module.texts = graph.constant_table(
        raw, tf.int64, tf.string, tokenizer.unknown_text
    )
    module.prefix = tokenizer.add_prefix_space
    module.encode = functools.partial(_encode, module)
    module.tokenize = functools.partial(_tokenize, module)
    module.written = functools.partial(_written, module)
    module.decode = functools.partial(_decode, module)
    return module


def _encode(module, text, max_length=None):
    ids, _ = _tokens(module, _characters(module, text, max_length))
    return graph.pad(ids, max_length)


def _tokenize(module, text, max_length=None):
    ids, _ = _tokens(module, _characters(module, text, max_length))
    tokens = ids.with_values(module.pieces.lookup(ids.values))
    return graph.pad_tokens(tokens, max_length)


def _written(module, text, max_length=None):
    import tensorflow as tf

    characters = _characters(module, text, max_length)
    ids, begins = _tokens(module, characters)
    flat = characters.values
    flat = tf.where(flat == ord(" "), np.int64(ord(SPACE)), flat)
    words = begun_words(characters.with_values(flat), begins)
    return graph.pad_tokens(ids.with_values(words), max_length)


def _characters(module, text, max_length):
    """Ragged int64 code points."""
    import tensorflow as tf

    text = tf.convert_to_tensor(text)
    if module.prefix:
        bare = (text != "") & (tf.strings.substr(text, 0, 1) != " ")
        text = tf.where(bare, tf.strings.join([" ", text]), text)
    characters = tf.strings.unicode_decode(
        text, "UTF-8", errors="replace", replacement_char=0xFFFD
    )
    if max_length is not None:  # the last word has to be whole
        most = max_length * module.longest + LONGEST_WORD
        characters = characters[:, :most]
    return tf.cast(characters, tf.int64)


def _tokens(module, characters):
    """Ragged ids, and for each of them which character it begins in."""
    import tensorflow as tf

    found, places = utf8_bytes(characters.values)
    starts = tf.gather(word_starts(characters), places)
    # Of a character of several bytes, the first may begin a word.
    again = tf.concat([[False], places[1:] == places[:-1]], axis=0)
    starts &= ~again[: tf.size(starts)]
    words = tf.cumsum(tf.cast(starts, tf.int64)) - 1
    index = tf.range(tf.size(words, tf.int64))
    within = index - tf.gather(tf.boolean_mask(index, starts), words)
    starts |= within % LONGEST_WORD == 0
    words = tf.cumsum(tf.cast(starts, tf.int64)) - 1
    symbols = tf.gather(tf.constant(module.byte_ids), found)
    results = tf.constant(module.results)
    ids, begins = joined(module.pairs, symbols, words, results)
    begins = tf.gather(places, begins)
    rows = tf.gather(characters.value_rowids(), begins)
    ids = tf.RaggedTensor.from_value_rowids(ids, rows, characters.nrows())
    return ids, begins


def _decode(module, ids, instead=None):
    import tensorflow as tf

    ids = tf.cast(ids, tf.int64)
    texts = graph.with_unknown(module.texts.lookup(ids), ids, instead)
    texts = tf.where(graph.keep(ids), texts, "")
    text = tf.strings.reduce_join(texts, axis=-1)
    text = tf.strings.unicode_transcode(text, "UTF-8", "UTF-8")
    if not module.prefix:
        return text
    return tf.strings.regex_replace(
        text, "^ ([^ ])", r"\1", replace_global=False
    )
