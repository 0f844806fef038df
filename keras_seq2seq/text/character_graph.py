"""The TensorFlow graph of `CharacterTokenizer`."""

import functools
import sys

from keras_seq2seq.text import graph
from keras_seq2seq.text.vocabulary import SPECIAL_TOKENS
from keras_seq2seq.text.vocabulary import Vocabulary


def character_graph(tokenizer, asset_folder: str):
    """`tf.Module` equal to a `CharacterTokenizer`, for use in a `tf.function`.

    - `encode(text, max_length=None)`: strings `(batch,)`, at least one, to
      int32 ids `(batch, max(1, longest))` and int32 lengths `(batch,)`.
      `max_length` cuts.
    - `decode(ids)`: int32 ids `(..., length)` to strings `(...,)`.

    No op here lower-cases. The table holds every code point whose small letter
    is in the vocabulary.

    Args:
        tokenizer: `CharacterTokenizer`.
        asset_folder: Folder to write the tables to; an export copies them.

    Returns:
        `tf.Module` that tracks its tables.
    """
    import tensorflow as tf

    module = tf.Module(name="character_graph")
    module.ids = graph.table(
        graph.write_rows(
            asset_folder, "code_points_to_ids.tsv", _code_point_rows(tokenizer)
        ),
        key=(tf.int64, 0),
        value=(tf.int64, 1),
        default=Vocabulary.unknown_token_id,
    )
    tokens = enumerate(tokenizer.vocabulary.tokens, len(SPECIAL_TOKENS))
    module.code_points = graph.table(
        graph.write_rows(
            asset_folder,
            "ids_to_code_points.tsv",
            ((index, ord(token)) for index, token in tokens),
        ),
        key=(tf.int64, 0),
        value=(tf.int64, 1),
        default=ord(tokenizer.unknown_text),
    )
    module.encode = functools.partial(_encode, module.ids)
    module.decode = functools.partial(_decode, module.code_points)
    return module


def _code_point_rows(tokenizer):
    everything = map(chr, range(sys.maxunicode + 1))
    capitals = {char for char in everything if char.lower() != char}
    for char in sorted(capitals.union(tokenizer.vocabulary.tokens)):
        (token_id,) = tokenizer.encode(char)
        if token_id != Vocabulary.unknown_token_id:
            yield ord(char), token_id


def _encode(table, text, max_length=None):
    import tensorflow as tf

    code_points = tf.strings.unicode_decode(
        text, "UTF-8", errors="replace", replacement_char=0xFFFD
    )
    ids = table.lookup(tf.cast(code_points, tf.int64))
    return graph.pad(ids, max_length)


def _decode(table, ids):
    import tensorflow as tf

    ids = tf.cast(ids, tf.int64)
    code_points = table.lookup(ids)
    flat = tf.reshape(tf.cast(code_points, tf.int32), [-1, 1])
    characters = tf.strings.unicode_encode(flat, "UTF-8")
    characters = tf.reshape(characters, tf.shape(ids))
    characters = tf.where(graph.keep(ids), characters, "")
    return tf.strings.reduce_join(characters, axis=-1)
