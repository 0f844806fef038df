"""What the TensorFlow graphs of the tokenizers share. Core ops only.

TensorFlow is imported inside the functions: the package works without it.
"""

import os

from keras_seq2seq.text.vocabulary import Vocabulary


def write_rows(folder: str, name: str, rows) -> str:
    """Writes an asset file of tab-separated columns and gives its path.

    A file that is already there must be the same one: two tokenizers that
    share a folder would otherwise silently export each other's tables.
    """
    content = "".join(f"{key}\t{value}\n" for key, value in rows).encode()
    path = os.path.join(folder, name)
    os.makedirs(folder, exist_ok=True)
    if os.path.exists(path):
        with open(path, "rb") as file:
            if file.read() != content:
                raise ValueError(
                    f"`asset_folder` must not hold another tokenizer's {name}. "
                    f"Received: asset_folder={folder!r}. Give each tokenizer "
                    "a folder of its own."
                )
    with open(path, "wb") as file:
        file.write(content)
    return path


def table(path: str, key, value, default):
    """Lookup table over an asset file; `key` and `value`: (dtype, column)."""
    import tensorflow as tf

    initializer = tf.lookup.TextFileInitializer(
        path, *key, *value, delimiter="\t"
    )
    return tf.lookup.StaticHashTable(initializer, default)


def pad(ids, max_length):
    """Ragged int64 ids to `(batch, max(1, longest))` int32, and lengths."""
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
    """Ragged strings to `(batch, max(1, longest))`, `""` at padding."""
    import tensorflow as tf

    if max_length is not None:
        tokens = tokens[:, :max_length]
    padded = tokens.to_tensor("")
    missing = tf.maximum(1 - tf.shape(padded)[1], 0)
    return tf.pad(padded, [[0, 0], [0, missing]], constant_values="")


def with_unknown(tokens, ids, instead):
    """`tokens`, but `instead` where an id is unknown and it is not `""`."""
    import tensorflow as tf

    if instead is None:
        return tokens
    unknown = ids == Vocabulary.unknown_token_id
    return tf.where(unknown & (instead != ""), instead, tokens)


def keep(ids):
    """Mask of the ids that `decode` reads: before the end, no pad, no start."""
    import tensorflow as tf

    ended = tf.cumsum(tf.cast(ids == Vocabulary.end_token_id, tf.int32), -1) > 0
    skipped = (ids == Vocabulary.pad_token_id) | (
        ids == Vocabulary.start_token_id
    )
    return ~(ended | skipped)
