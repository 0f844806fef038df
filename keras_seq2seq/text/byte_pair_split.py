r"""The split of GPT-2 in a TensorFlow graph.

Its pattern looks ahead, which RE2 cannot, so characters are compared with their
neighbours:

    's|'t|'re|'ve|'m|'ll|'d
    | ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
"""

from keras_seq2seq.text.character_classes import LETTER
from keras_seq2seq.text.character_classes import OTHER
from keras_seq2seq.text.character_classes import SPACE
from keras_seq2seq.text.character_classes import class_ranges

CONTRACTIONS = "s", "t", "m", "d", "re", "ve", "ll"  # behind an apostrophe


def word_starts(characters):
    """Boolean `(n,)`: where a word, number, punctuation or white space begins.

    - A run of letters, of numbers, or of other characters is a word, with the
      one space U+0020 in front of it.
    - White space in front of a word is one without its last character, which
      is another one unless it is that space.
    - An apostrophe that begins a word is one with the letters of a contraction.

    Args:
        characters: Ragged int64 code points.
    """
    import tensorflow as tf

    flat, rows = characters.values, characters.value_rowids()
    firsts, classes = (tf.constant(x, tf.int64) for x in class_ranges())
    kinds = tf.searchsorted(firsts, flat, side="right") - 1
    kinds = tf.gather(classes, kinds)
    first = ~_shifted(rows[1:] == rows[:-1], 1)  # of its row
    last = ~_shifted(rows[1:] == rows[:-1], 0)
    changes = ~_shifted(kinds[1:] == kinds[:-1], 1)
    after_blank = _shifted(flat[:-1] == ord(" "), 1) & ~first
    blank = kinds == SPACE
    blank_next = _shifted(blank[1:], 0) | last
    starts = first | tf.where(
        blank, changes | ~blank_next, changes & ~after_blank
    )
    opens = (kinds == OTHER) & starts  # no space is in front
    sizes = _contractions(flat, rows, opens)
    inside = _after(sizes > 0, 1) | _after(sizes > 1, 2)
    ends = _after(sizes == 1, 2) | _after(sizes == 2, 3)
    return (starts & ~inside) | first | (ends & (kinds == LETTER) & ~inside)


def _shifted(between, place):
    """A mask of neighbours, for the latter (1) or the former (0) of both."""
    import tensorflow as tf

    return tf.pad(between, [[place, 1 - place]])


def _after(mask, count):
    """Whether the character `count` places before is in the mask."""
    import tensorflow as tf

    return tf.pad(mask, [[count, 0]])[: tf.size(mask)]


def _contractions(flat, rows, opens):
    """How many letters of a contraction follow an apostrophe, or 0."""
    import tensorflow as tf

    def ahead(values, count):
        return tf.pad(values, [[0, count]], constant_values=-1)[count:]

    letters = [ahead(flat, i) for i in (1, 2)]
    same = [ahead(rows, i) == rows for i in (1, 2)]
    sizes = tf.zeros_like(flat)
    for ending in CONTRACTIONS:
        fits = opens & (flat == ord("'"))
        for letter, place, in_row in zip(ending, letters, same):
            fits &= (place == ord(letter)) & in_row
        sizes = tf.where(fits, tf.cast(len(ending), tf.int64), sizes)
    return sizes
