"""The TensorFlow graph of `SymbolTokenizer`."""

import functools

from keras_seq2seq.text import graph
from keras_seq2seq.text.vocabulary import SPECIAL_TOKENS
from keras_seq2seq.text.vocabulary import Vocabulary


def symbol_graph(tokenizer, asset_folder: str):
    """`tf.Module` equal to a `SymbolTokenizer`, for use in a `tf.function`.

    - `encode(text, max_length=None)`: strings `(batch,)`, at least one, to
      int32 ids `(batch, max(1, longest))` and int32 lengths `(batch,)`.
      `max_length` cuts.
    - `decode(ids)`: int32 ids `(..., length)` to strings `(...,)`.

    One asset file serves both ways. A symbol holds no ASCII whitespace, hence
    nothing that would break its lines and columns.

    Args:
        tokenizer: `SymbolTokenizer`.
        asset_folder: Folder to write the table to; an export copies it.

    Returns:
        `tf.Module` that tracks its tables.
    """
    import tensorflow as tf

    tokens = enumerate(tokenizer.vocabulary.tokens, len(SPECIAL_TOKENS))
    path = graph.write_rows(
        asset_folder,
        "symbols_to_ids.tsv",
        ((token, index) for index, token in tokens),
    )
    symbol, token_id = (tf.string, 0), (tf.int64, 1)
    module = tf.Module(name="symbol_graph")
    module.ids = graph.table(
        path, symbol, token_id, default=Vocabulary.unknown_token_id
    )
    module.symbols = graph.table(
        path, token_id, symbol, default=tokenizer.unknown_text
    )
    module.encode = functools.partial(_encode, module.ids)
    module.decode = functools.partial(_decode, module.symbols)
    return module


def _encode(table, text, max_length=None):
    import tensorflow as tf

    text = tf.strings.unicode_transcode(text, "UTF-8", "UTF-8")
    symbols = tf.strings.split(text)  # at ASCII whitespace
    return graph.pad(table.lookup(symbols), max_length)


def _decode(table, ids):
    import tensorflow as tf

    ids = tf.cast(ids, tf.int64)
    symbols = " " + table.lookup(ids)
    symbols = tf.where(graph.keep(ids), symbols, "")
    return tf.strings.strip(tf.strings.reduce_join(symbols, axis=-1))
