"""The TensorFlow graph of `WordTokenizer`."""

import functools

import numpy as np

from keras_seq2seq.text import graph
from keras_seq2seq.text.character_graph import folds
from keras_seq2seq.text.vocabulary import SPECIAL_TOKENS
from keras_seq2seq.text.vocabulary import Vocabulary
from keras_seq2seq.text.word_tokenizer import JOINED
from keras_seq2seq.text.word_tokenizer import JOINER
from keras_seq2seq.text.written_words import BLANK
from keras_seq2seq.text.written_words import LETTER
from keras_seq2seq.text.written_words import MARK
from keras_seq2seq.text.written_words import kind_ranges


def word_graph(tokenizer):
    """`tf.Module` equal to a `WordTokenizer`, for use in a `tf.function`.

    `encode`, `tokenize`, `written` and `decode` are those of `symbol_graph`;
    the tables are constants of the graph.

    Args:
        tokenizer: `WordTokenizer`.

    Returns:
        `tf.Module` that tracks its tables.
    """
    import tensorflow as tf

    module = tf.Module(name="word_graph")
    module.split_punctuation = tokenizer.split_punctuation
    module.folds = None
    if tokenizer.lowercase:
        module.folds = graph.constant_table(
            dict(folds()), tf.int64, tf.int64, -1
        )
    tokens = dict(enumerate(tokenizer.vocabulary.tokens, len(SPECIAL_TOKENS)))
    # No table may be empty.
    tokens.setdefault(Vocabulary.unknown_token_id, tokenizer.unknown_text)
    module.tokens = graph.constant_table(
        tokens, tf.int64, tf.string, tokenizer.unknown_text
    )
    ids = {token: index for index, token in tokens.items()}
    module.ids = graph.constant_table(
        ids, tf.string, tf.int64, Vocabulary.unknown_token_id
    )
    module.encode = functools.partial(_encode, module)
    module.tokenize = functools.partial(_tokenize, module)
    module.written = functools.partial(_written, module)
    module.decode = functools.partial(_decode, module)
    return module


def _encode(module, text, max_length=None):
    tokens = _with_joiners(module, *_words(module, text, module.folds))
    ids = tokens.with_values(module.ids.lookup(tokens.values))
    return graph.pad(ids, max_length)


def _tokenize(module, text, max_length=None):
    tokens = _with_joiners(module, *_words(module, text, module.folds))
    return graph.pad_tokens(tokens, max_length)


def _written(module, text, max_length=None):
    words, *_ = _words(module, text, None)
    return graph.pad_tokens(words, max_length)


def _words(module, text, folds):
    """Ragged strings, and masks of their values.

    Whether each is a mark, is joined to what is before, and to a word behind.
    """
    import tensorflow as tf

    characters = tf.strings.unicode_decode(
        text, "UTF-8", errors="replace", replacement_char=0xFFFD
    )
    rows = characters.value_rowids()
    flat = tf.cast(characters.values, tf.int64)
    kinds = _kinds(module, flat)
    if folds is not None:
        small = folds.lookup(flat)
        flat = tf.where(small < 0, flat, small)
    same_row = rows[1:] == rows[:-1]
    solid, mark = kinds != BLANK, kinds == MARK
    touches = same_row & solid[1:] & solid[:-1]  # the one before
    inside = touches & ~mark[1:] & ~mark[:-1]
    count = tf.size(flat)  # may be 0
    starts = solid & ~tf.pad(inside, [[1, 0]])[:count]
    before = tf.pad(touches, [[1, 0]])[:count]
    behind = tf.pad(touches & ~mark[1:], [[0, 1]])[:count]
    numbers = tf.cumsum(tf.cast(starts, tf.int64)) - 1
    runs = tf.RaggedTensor.from_value_rowids(
        tf.cast(tf.boolean_mask(flat, solid), tf.int32),
        tf.boolean_mask(numbers, solid),
        tf.reduce_sum(tf.cast(starts, tf.int64)),
    )
    words = tf.RaggedTensor.from_value_rowids(
        tf.strings.unicode_encode(runs, "UTF-8"),
        tf.boolean_mask(rows, starts),
        characters.nrows(),
    )
    masks = (tf.boolean_mask(x, starts) for x in (mark, before, behind))
    return words, *masks


def _kinds(module, flat):
    import tensorflow as tf

    firsts, kinds = (tf.constant(x, tf.int64) for x in kind_ranges())
    found = tf.searchsorted(firsts, flat, side="right") - 1
    found = tf.gather(kinds, found)
    if not module.split_punctuation:
        found = tf.where(found == MARK, np.int64(LETTER), found)
    return tf.where(flat == ord(JOINER), np.int64(BLANK), found)


def _with_joiners(module, words, mark, before, behind):
    import tensorflow as tf

    if not module.split_punctuation:
        return words
    left = tf.where(mark & before, JOINER, "")
    right = tf.where(mark & behind, JOINER, "")
    return words.with_values(tf.strings.join([left, words.values, right]))


def _decode(module, ids, instead=None):
    import tensorflow as tf

    ids = tf.cast(ids, tf.int64)
    words = graph.with_unknown(module.tokens.lookup(ids), ids, instead)
    text = graph.join_with_spaces(words, graph.keep(ids))
    return tf.strings.regex_replace(text, JOINED, "")
