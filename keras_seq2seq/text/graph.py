"""Shared parts of the tokenizers' TensorFlow graphs, with core ops only.

TensorFlow is imported inside the functions, so the package works without it.
"""

import os

from keras_seq2seq.text.vocabulary import Vocabulary


def write_rows(folder: str, name: str, rows) -> str:
    """Write an asset file of tab-separated columns and return its path.

    An existing file must have the same content. Otherwise two tokenizers with
    one folder would silently export each other's tables.
    """
    content = "".join(f"{key}\t{value}\n" for key, value in rows).encode()
    path = os.path.join(folder, name)
    os.makedirs(folder, exist_ok=True)
    if os.path.exists(path):
        with open(path, "rb") as file:
            if file.read() != content:
                raise ValueError(
                    f"`asset_folder` must not hold another tokenizer's {name}. "
                    f"Received: asset_folder={folder!r}. Use a separate folder "
                    "for each tokenizer."
                )
    with open(path, "wb") as file:
        file.write(content)
    return path


def table(path: str, key, value, default):
    """Lookup table from an asset file. `key` and `value`: (dtype, column)."""
    import tensorflow as tf

    initializer = tf.lookup.TextFileInitializer(
        path, *key, *value, delimiter="\t"
    )
    return tf.lookup.StaticHashTable(initializer, default)


def constant_table(content, key_dtype, value_dtype, default):
    """Lookup table of a dict, which must not be empty; it needs no file."""
    import tensorflow as tf

    initializer = tf.lookup.KeyValueTensorInitializer(
        tf.constant([*content], key_dtype),
        tf.constant([*content.values()], value_dtype),
    )
    return tf.lookup.StaticHashTable(initializer, default)


def reached(first, nexts, longest):
    """Mask of the places on the ways from some places, from each to its next.

    The jumps double with each turn of a loop.

    Args:
        first: Boolean `(n,)`, where the ways begin.
        nexts: int64 `(n,)`, where each place leads: to itself at the end.
        longest: int64 scalar, no way has more places.
    """
    import tensorflow as tf

    def body(step, mark, nexts):
        places = tf.boolean_mask(nexts, mark)[:, None]
        new = tf.ones_like(places[:, 0], tf.bool)
        mark = tf.tensor_scatter_nd_update(mark, places, new)
        return 2 * step, mark, tf.gather(nexts, nexts)

    _, mark, _ = tf.while_loop(
        lambda step, mark, nexts: step < longest,
        body,
        (tf.ones_like(longest), first, nexts),
    )
    return mark


def pad(ids, max_length):
    """Pad ragged int64 ids: int32 `(batch, max(1, longest))`, and lengths."""
    import tensorflow as tf

    if max_length is not None:
        ids = ids[:, :max_length]
    lengths = tf.cast(ids.row_lengths(), tf.int32)
    longest = tf.maximum(tf.reduce_max(lengths), 1)
    padded = ids.to_tensor(Vocabulary.pad_token_id)
    missing = longest - tf.shape(padded)[1]
    padded = tf.pad(
        padded, [[0, 0], [0, missing]], constant_values=Vocabulary.pad_token_id
    )
    return tf.cast(padded, tf.int32), lengths


def pad_tokens(tokens, max_length):
    """Pad ragged strings with `""` to `(batch, max(1, longest))`."""
    import tensorflow as tf

    if max_length is not None:
        tokens = tokens[:, :max_length]
    padded = tokens.to_tensor("")
    missing = tf.maximum(1 - tf.shape(padded)[1], 0)
    return tf.pad(padded, [[0, 0], [0, missing]], constant_values="")


def with_unknown(tokens, ids, instead):
    """Replace unknown tokens by the strings `instead` that are not `""`."""
    import tensorflow as tf

    if instead is None:
        return tokens
    unknown = ids == Vocabulary.unknown_token_id
    return tf.where(unknown & (instead != ""), instead, tokens)


def join_with_spaces(words, kept):
    """Join the words in a mask along the last axis, a space between two."""
    import tensorflow as tf

    first = tf.cumsum(tf.cast(kept, tf.int32), axis=-1) < 2
    words = tf.where(first, words, " " + words)
    return tf.strings.reduce_join(tf.where(kept, words, ""), axis=-1)


def keep(ids):
    """Mask of the ids to decode: before the end, without pad and start."""
    import tensorflow as tf

    ended = tf.cumsum(tf.cast(ids == Vocabulary.end_token_id, tf.int32), -1) > 0
    skipped = (ids == Vocabulary.pad_token_id) | (
        ids == Vocabulary.start_token_id
    )
    return ~(ended | skipped)
