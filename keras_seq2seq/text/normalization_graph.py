"""The normalization of SentencePiece in a TensorFlow graph."""

import functools
import struct

import numpy as np

from keras_seq2seq.text import graph
from keras_seq2seq.text.subword_model import SPACE

SPACES = ord(" "), ord(SPACE)


def normalizer(model):
    """Function of strings `(batch,)` to ragged int64 code points.

    The rules of the model are applied, spaces are put in front and taken away
    as the model says, and are U+2581 then.

    Args:
        model: `SubwordModel`.
    """
    rules = _read_rules(model.charsmap) if model.charsmap else None
    return functools.partial(_normalize, rules, model.fewer_spaces)


def _normalize(rules, fewer_spaces, text):
    import tensorflow as tf

    text = tf.strings.unicode_transcode(text, "UTF-8", "UTF-8")
    characters = _code_points(text) if rules is None else _apply(rules, text)
    if fewer_spaces:
        characters = _without_double_spaces(characters)
    is_space = characters.values == SPACES[0]
    flat = tf.where(is_space, np.int64(SPACES[1]), characters.values)
    characters = characters.with_values(flat)
    fronts = tf.cast(tf.strings.length(text) > 0, tf.int64)
    spaces = tf.fill([tf.reduce_sum(fronts)], np.int64(SPACES[1]))
    fronts = tf.RaggedTensor.from_row_lengths(spaces, fronts)
    characters = tf.concat([fronts, characters], axis=1)
    return _without_last_spaces(characters) if fewer_spaces else characters


def _code_points(text):
    import tensorflow as tf

    return tf.cast(tf.strings.unicode_decode(text, "UTF-8"), tf.int64)


def _without_double_spaces(characters):
    """No space at the beginning of a row or behind another one."""
    import tensorflow as tf

    is_space = characters.values == SPACES[0]
    rows = characters.value_rowids()
    after = is_space[:-1] | (rows[1:] != rows[:-1])
    after = tf.concat([tf.ones_like(is_space[:1]), after], axis=0)
    return _kept(characters, ~(is_space & after))


def _without_last_spaces(characters):
    import tensorflow as tf

    rows, count = characters.value_rowids(), characters.nrows()
    places = tf.range(tf.size(rows, tf.int64))
    solid = tf.where(characters.values == SPACES[1], np.int64(-1), places)
    last = tf.math.unsorted_segment_max(solid, rows, count)
    return _kept(characters, places <= tf.gather(last, rows))


def _kept(characters, mask):
    import tensorflow as tf

    return tf.RaggedTensor.from_value_rowids(
        tf.boolean_mask(characters.values, mask),
        tf.boolean_mask(characters.value_rowids(), mask),
        characters.nrows(),
    )


def _read_rules(charsmap):
    """Dict of the arrays of a table.

    It is the size of a double array, the array, and the strings that its
    values point into, each with a NUL behind it.
    """
    (size,) = struct.unpack("<I", charsmap[:4])
    units = np.frombuffer(charsmap[4 : 4 + size], "<u4").astype("int64")
    texts = charsmap[4 + size :].split(b"\0")[:-1]
    begins = np.cumsum([0, *(len(text) + 1 for text in texts[:-1])])
    at = np.zeros(max(begins) + 1, "int64")
    at[begins] = np.arange(len(texts))  # a place in the bytes -> which text
    texts = [[*map(ord, x.decode("utf-8", "replace"))] for x in texts]
    values = np.minimum(units & 0x7FFFFFFF, len(at) - 1)
    return {
        "offset": (units >> 10) << ((units & 512) >> 6),
        "label": np.where(units >> 31, -1, units & 255),
        "is_end": ((units >> 8) & 1).astype(bool),
        "text_of": at[values],
        "sizes": np.array([*map(len, texts)], "int64"),
        "begins": np.cumsum([0, *map(len, texts[:-1])]).astype("int64"),
        "code_points": np.array([*sum(texts, []), 0], "int64"),
    }


def _apply(rules, text):
    """Ragged code points, of every rule the longest that fits, from the left.

    No rule has a NUL, so one behind each text keeps the texts apart.
    """
    import tensorflow as tf

    text = text + "\0"
    characters = _code_points(text)
    flat, rows = characters.values, characters.value_rowids()
    raw = tf.io.decode_raw(tf.strings.reduce_join(text), tf.uint8)
    raw = tf.cast(raw, tf.int64)
    begins = tf.where(raw & 0xC0 != 0x80)[:, 0]
    steps, found = _longest_rules(rules, raw, begins)
    place = tf.range(tf.size(flat, tf.int64))
    # Bytes become characters.
    numbers = tf.cumsum(tf.cast(raw & 0xC0 != 0x80, tf.int64), exclusive=True)
    numbers = tf.concat([numbers, tf.shape(place, tf.int64)], axis=0)
    nexts = tf.where(steps > 0, tf.gather(numbers, begins + steps), place + 1)
    nexts = tf.where(flat == 0, place, nexts)  # a NUL has no rule
    nexts = tf.minimum(nexts, tf.size(flat, tf.int64) - 1)
    longest = tf.reduce_max(characters.row_lengths()) + 1
    first = tf.concat([[True], flat[:-1] == 0], axis=0)
    simple = tf.reduce_all(nexts <= place + 1)
    kept = tf.cond(
        simple,
        lambda: tf.ones_like(first),
        lambda: graph.reached(first, nexts, longest),
    )
    is_last = tf.concat([rows[1:] != rows[:-1], [True]], axis=0)
    kept &= ~is_last
    return _written_out(rules, characters, steps > 0, found, kept)


def _longest_rules(rules, raw, begins):
    """Bytes of the longest rule from each place on, or 0, and its text."""
    import tensorflow as tf

    constants = {name: tf.constant(x) for name, x in rules.items()}
    last = np.int64(len(rules["label"]) - 1)
    most = tf.size(raw, tf.int64) - 1

    def body(depth, alive, node, steps, found):
        byte = tf.gather(raw, tf.minimum(begins + depth, most))
        unit = tf.minimum(tf.bitwise.bitwise_xor(node, byte), last)
        alive &= (tf.gather(constants["label"], unit) == byte) & (byte > 0)
        node = tf.bitwise.bitwise_xor(
            unit, tf.gather(constants["offset"], unit)
        )
        node = tf.minimum(node, last)
        ends = alive & tf.gather(constants["is_end"], unit)
        text = tf.gather(constants["text_of"], node)
        depth += 1
        return (
            depth,
            alive,
            node,
            tf.where(ends, depth, steps),
            tf.where(ends, text, found),
        )

    nothing = tf.zeros_like(begins)
    first = nothing + rules["offset"][0]
    _, _, _, steps, found = tf.while_loop(
        lambda depth, alive, *_: tf.reduce_any(alive),
        body,
        (np.int64(0), tf.ones_like(begins, tf.bool), first, nothing, nothing),
    )
    return steps, found


def _written_out(rules, characters, has_rule, found, kept):
    """The texts of rules, and other characters as they are."""
    import tensorflow as tf

    sizes = tf.gather(tf.constant(rules["sizes"]), found)
    sizes = tf.where(has_rule, sizes, 1)
    sizes = tf.where(kept, sizes, 0)
    places = tf.repeat(tf.range(tf.size(sizes, tf.int64)), sizes)
    within = tf.range(tf.size(places, tf.int64)) - tf.gather(
        tf.cumsum(sizes, exclusive=True), places
    )
    begins = tf.gather(tf.constant(rules["begins"]), found)
    index = tf.where(
        tf.gather(has_rule, places), tf.gather(begins, places) + within, 0
    )
    new = tf.gather(tf.constant(rules["code_points"]), index)
    flat = tf.gather(characters.values, places)
    return tf.RaggedTensor.from_value_rowids(
        tf.where(tf.gather(has_rule, places), new, flat),
        tf.gather(characters.value_rowids(), places),
        characters.nrows(),
    )
