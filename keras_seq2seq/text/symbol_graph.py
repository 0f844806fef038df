"""The TensorFlow graph of `SymbolTokenizer`."""

import functools

from keras_seq2seq.text import graph
from keras_seq2seq.text.vocabulary import SPECIAL_TOKENS
from keras_seq2seq.text.vocabulary import Vocabulary


def symbol_graph(tokenizer, asset_folder: str):
    """`tf.Module` equal to a `SymbolTokenizer`, for use in a `tf.function`.

    - `encode(text, max_length=None)`: strings `(batch,)`, at least one, to
      int32 ids `(batch, max(1, longest))` and int32 lengths `(batch,)`,
      truncated to `max_length`.
    - `tokenize(text, max_length=None)`: strings `(batch,)` to tokens, strings
      of the shape of the ids, with `""` as padding.
    - `written(text, max_length=None)`: the same as `tokenize`.
    - `decode(ids, instead=None)`: int32 ids `(..., length)` to strings
      `(...,)`. Strings `instead`, of the shape of `ids`, replace unknown tokens
      unless they are `""`.

    Both directions use one asset file. Symbols have no ASCII whitespace, so its
    lines and columns stay intact.

    Args:
        tokenizer: `SymbolTokenizer`.
        asset_folder: Folder to write the table to. An export copies it.

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
    module.tokenize = module.written = _tokenize
    module.decode = functools.partial(_decode, module.symbols)
    return module


def _split(text):
    """Split strings into ragged symbols."""
    import tensorflow as tf

    text = tf.strings.unicode_transcode(text, "UTF-8", "UTF-8")
    return tf.strings.split(text)  # at ASCII whitespace


def _encode(table, text, max_length=None):
    return graph.pad(table.lookup(_split(text)), max_length)


def _tokenize(text, max_length=None):
    return graph.pad_tokens(_split(text), max_length)


def _decode(table, ids, instead=None):
    import tensorflow as tf

    ids = tf.cast(ids, tf.int64)
    symbols = graph.with_unknown(table.lookup(ids), ids, instead)
    return graph.join_with_spaces(symbols, graph.keep(ids))
