"""The TensorFlow graph of `SubwordTokenizer`."""

import functools

import numpy as np

from keras_seq2seq.text import graph
from keras_seq2seq.text.bpe_graph import bpe_segmenter
from keras_seq2seq.text.normalization_graph import normalizer
from keras_seq2seq.text.subword_model import LONGEST_WORD
from keras_seq2seq.text.subword_model import SPACE
from keras_seq2seq.text.subword_parts import PART
from keras_seq2seq.text.unigram_graph import unigram_segmenter
from keras_seq2seq.text.utf8_graph import with_bytes
from keras_seq2seq.text.vocabulary import SPECIAL_TOKENS
from keras_seq2seq.text.vocabulary import Vocabulary
from keras_seq2seq.text.written_words_graph import begun_words


def subword_graph(tokenizer):
    """`tf.Module` equal to a `SubwordTokenizer`, for use in a `tf.function`.

    - `encode(text, max_length=None)`: strings `(batch,)`, at least one, to
      int32 ids `(batch, max(1, longest))` and int32 lengths `(batch,)`.
      `max_length` cuts.
    - `tokenize(text, max_length=None)`: to the tokens, strings of that shape,
      `""` at padding.
    - `written(text, max_length=None)`: to the words that they begin in.
    - `decode(ids, instead=None)`: int32 ids `(..., length)` to strings
      `(...,)`. Strings of the shape of `ids` take the place of unknown tokens
      where they are not `""`.

    The characters of the whole batch lie in one row. Long texts are cut before,
    after as many characters as `max_length` tokens can have. The tables are
    constants of the graph. A tokenizer that normalizes has no `written`.

    Args:
        tokenizer: `SubwordTokenizer`.

    Returns:
        `tf.Module` that tracks its tables.
    """
    import tensorflow as tf

    model = tokenizer.pieces
    module = tf.Module(name="subword_graph")
    normal = model.normal.items()
    module.longest = max(len(text) for text, _ in normal)
    if not model.byte_fallback:  # a run of unknown characters is one token
        module.longest = max(module.longest, LONGEST_WORD)
    module.byte_ids = model.byte_ids
    module.joins_spaces = model.joins_spaces
    make = {"bpe": bpe_segmenter, "unigram": unigram_segmenter}
    module.segment = make[model.model_type](module, model)
    module.normalize = normalizer(model)
    tokens = dict(enumerate(tokenizer.vocabulary.tokens, len(SPECIAL_TOKENS)))
    module.pieces = graph.constant_table(tokens, tf.int64, tf.string, "")
    texts = {
        index: model.raw.get(token, token.replace(SPACE, " "))
        for index, token in tokens.items()
    }
    module.texts = graph.constant_table(
        texts, tf.int64, tf.string, tokenizer.unknown_text
    )
    module.encode = functools.partial(_encode, module)
    module.tokenize = functools.partial(_tokenize, module)
    if not model.normalizes:
        module.written = functools.partial(_written, module)
    front = "^ +" if model.fewer_spaces else "^ "
    module.decode = functools.partial(_decode, module.texts, front)
    return module


def _encode(module, text, max_length=None):
    ids, _ = _tokens(module, _characters(module, text, max_length))
    return graph.pad(ids, max_length)


def _tokenize(module, text, max_length=None):
    import tensorflow as tf

    characters = _characters(module, text, max_length)
    ids, begins = _tokens(module, characters)
    pieces = module.pieces.lookup(ids.values)
    if not module.byte_ids:
        unknown = ids.values == Vocabulary.unknown_token_id
        texts = _texts(characters.values, begins)
        pieces = tf.where(unknown, texts, pieces)
    return graph.pad_tokens(ids.with_values(pieces), max_length)


def _written(module, text, max_length=None):
    characters = _characters(module, text, max_length)
    ids, begins = _tokens(module, characters)
    words = ids.with_values(begun_words(characters, begins))
    return graph.pad_tokens(words, max_length)


def _texts(flat, begins):
    """Strings of the code points from each beginning up to the next."""
    import tensorflow as tf

    count = tf.size(begins, tf.int64)
    places = tf.range(tf.size(flat, tf.int64))
    numbers = tf.searchsorted(begins, places, side="right", out_type=tf.int64)
    runs = tf.RaggedTensor.from_value_rowids(
        tf.cast(flat, tf.int32), numbers - 1, count
    )
    return tf.strings.unicode_encode(runs, "UTF-8")


def _characters(module, text, max_length):
    """Ragged int64 code points, normalized, a space in front of each text."""
    characters = module.normalize(text)
    if max_length is None:
        return characters
    # The last part has to be whole.
    return characters[:, : max_length * module.longest + PART + LONGEST_WORD]


def _tokens(module, characters):
    """Ragged ids, and for each of them where its first character is."""
    import tensorflow as tf

    rows = characters.value_rowids()
    words = _word_numbers(module, characters)
    # A character that no piece has: below zero.
    symbols, begins = module.segment(characters, words)
    if module.byte_ids:
        ids, places = with_bytes(symbols, module.byte_ids)
        begins = tf.gather(begins, places)
    else:
        ids, begins = _without_runs(symbols, begins, words)
    ids = tf.RaggedTensor.from_value_rowids(
        ids, tf.gather(rows, begins), characters.nrows()
    )
    return ids, begins


def _without_runs(symbols, begins, words):
    """Ids, one for all unknown characters in a row, and where they begin."""
    import tensorflow as tf

    unknown, own = symbols < 0, tf.gather(words, begins)
    again = unknown[1:] & unknown[:-1] & (own[1:] == own[:-1])
    first = tf.concat([tf.ones_like(unknown[:1]), ~again], axis=0)
    ids = tf.where(unknown, np.int64(Vocabulary.unknown_token_id), symbols)
    return tf.boolean_mask(ids, first), tf.boolean_mask(begins, first)


def _word_numbers(module, characters):
    """Which word each character is in; a long one is several."""
    import tensorflow as tf

    flat, rows = characters.values, characters.value_rowids()
    starts = flat == ord(SPACE)
    if module.joins_spaces:
        inside = starts[:-1] & (rows[1:] == rows[:-1])
        starts &= ~tf.concat([tf.zeros_like(starts[:1]), inside], axis=0)
    index = tf.range(tf.size(flat, tf.int64))
    numbers = tf.cumsum(tf.cast(starts, tf.int64)) - 1
    within = index - tf.gather(tf.boolean_mask(index, starts), numbers)
    starts |= within % LONGEST_WORD == 0
    return tf.cumsum(tf.cast(starts, tf.int64)) - 1


def _decode(table, front, ids, instead=None):
    import tensorflow as tf

    ids = tf.cast(ids, tf.int64)
    if instead is not None:
        instead = tf.strings.regex_replace(instead, SPACE, " ")
    texts = graph.with_unknown(table.lookup(ids), ids, instead)
    texts = tf.where(graph.keep(ids), texts, "")
    text = tf.strings.reduce_join(texts, axis=-1)
    text = tf.strings.unicode_transcode(text, "UTF-8", "UTF-8")
    return tf.strings.regex_replace(text, front, "", replace_global=False)
