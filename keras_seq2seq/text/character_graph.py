"""The TensorFlow graph of `CharacterTokenizer`."""

import functools
import sys

from keras_seq2seq.text import graph
from keras_seq2seq.text.character_tokenizer import fold
from keras_seq2seq.text.vocabulary import SPECIAL_TOKENS
from keras_seq2seq.text.vocabulary import Vocabulary


def character_graph(tokenizer, asset_folder: str):
    """`tf.Module` equal to a `CharacterTokenizer`, for use in a `tf.function`.

    - `encode(text, max_length=None)`: strings `(batch,)`, at least one, to
      int32 ids `(batch, max(1, longest))` and int32 lengths `(batch,)`,
      truncated to `max_length`.
    - `tokenize(text, max_length=None)`: strings `(batch,)` to tokens, strings
      of the shape of the ids, with `""` as padding.
    - `written(text, max_length=None)`: like `tokenize`, without lowercasing.
    - `decode(ids, instead=None)`: int32 ids `(..., length)` to strings
      `(...,)`. Strings `instead`, of the shape of `ids`, replace unknown tokens
      unless they are `""`.

    A lookup table does the lowercasing, not TensorFlow's own op.

    Args:
        tokenizer: `CharacterTokenizer`.
        asset_folder: Folder to write the tables to. An export copies them.

    Returns:
        `tf.Module` that tracks its tables.
    """
    import tensorflow as tf

    def table(name, rows, key, value, default):
        path = graph.write_rows(asset_folder, name, rows)
        return graph.table(path, (tf.int64, key), (tf.int64, value), default)

    module = tf.Module(name="character_graph")
    module.folds = None
    if tokenizer.lowercase:
        module.folds = table("code_points_to_small.tsv", folds(), 0, 1, -1)
    tokens = enumerate(tokenizer.vocabulary.tokens, len(SPECIAL_TOKENS))
    name = "code_points_to_ids.tsv"
    rows = [(ord(token), index) for index, token in tokens]
    unknown = Vocabulary.unknown_token_id
    module.ids = table(name, rows, 0, 1, unknown)
    module.code_points = table(name, rows, 1, 0, ord(tokenizer.unknown_text))
    split = functools.partial(_split, module.folds)
    module.encode = functools.partial(_encode, split, module.ids)
    module.tokenize = functools.partial(_tokenize, split)
    module.written = functools.partial(
        _tokenize, functools.partial(_split, None)
    )
    module.decode = functools.partial(_decode, module.code_points)
    return module


def folds():
    """Yield pairs of a code point and its lowercase, where they differ."""
    for code_point in range(sys.maxunicode + 1):
        small = ord(fold(chr(code_point)))
        if small != code_point:
            yield code_point, small


def _split(folds, text):
    """Split strings into ragged int64 code points, one per token."""
    import tensorflow as tf

    code_points = tf.strings.unicode_decode(
        text, "UTF-8", errors="replace", replacement_char=0xFFFD
    )
    code_points = tf.cast(code_points, tf.int64)
    if folds is None:
        return code_points
    small = folds.lookup(code_points)
    return tf.ragged.map_flat_values(
        lambda new, old: tf.where(new < 0, old, new), small, code_points
    )


def _encode(split, table, text, max_length=None):
    return graph.pad(table.lookup(split(text)), max_length)


def _tokenize(split, text, max_length=None):
    code_points = split(text)
    characters = code_points.with_values(_characters(code_points.values))
    return graph.pad_tokens(characters, max_length)


def _decode(table, ids, instead=None):
    import tensorflow as tf

    ids = tf.cast(ids, tf.int64)
    characters = _characters(table.lookup(ids))
    characters = graph.with_unknown(characters, ids, instead)
    characters = tf.where(graph.keep(ids), characters, "")
    return tf.strings.reduce_join(characters, axis=-1)


def _characters(code_points):
    """Convert code points to one-character strings, in the same shape."""
    import tensorflow as tf

    flat = tf.reshape(tf.cast(code_points, tf.int32), [-1, 1])
    characters = tf.strings.unicode_encode(flat, "UTF-8")
    return tf.reshape(characters, tf.shape(code_points))
