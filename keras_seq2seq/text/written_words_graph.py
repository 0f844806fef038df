"""The words of `written_words.py` in a TensorFlow graph."""

from keras_seq2seq.text.subword_model import SPACE
from keras_seq2seq.text.written_words import BLANK
from keras_seq2seq.text.written_words import kind_ranges


def begun_words(characters, begins):
    """The word that begins at each place or behind its space, or `""`.

    Args:
        characters: Ragged int64 code points, U+2581 for a space.
        begins: int64 `(n,)`, places in the values of `characters`.
    """
    import tensorflow as tf

    flat, rows = characters.values, characters.value_rowids()
    firsts, kinds = (tf.constant(x, tf.int64) for x in kind_ranges())
    kinds = tf.gather(kinds, tf.searchsorted(firsts, flat, side="right") - 1)
    new = (kinds[1:] != kinds[:-1]) | (rows[1:] != rows[:-1])
    words = tf.cumsum(tf.pad(tf.cast(new, tf.int64), [[1, 0]]))[: tf.size(flat)]
    texts = tf.strings.unicode_encode(
        tf.RaggedTensor.from_value_rowids(tf.cast(flat, tf.int32), words),
        "UTF-8",
    )
    spaces = tf.cast(tf.gather(flat, begins) == ord(SPACE), tf.int64)
    places = tf.minimum(begins + spaces, tf.size(flat, tf.int64) - 1)
    in_row = tf.gather(rows, places) == tf.gather(rows, begins)
    is_word = in_row & (tf.gather(kinds, places) != BLANK)
    return tf.where(is_word, tf.gather(texts, tf.gather(words, places)), "")
