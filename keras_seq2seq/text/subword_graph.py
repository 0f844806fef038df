"""The TensorFlow graph of `SubwordTokenizer`."""

import functools

import numpy as np

from keras_seq2seq.text import graph
from keras_seq2seq.text.subword_model import BYTES
from keras_seq2seq.text.subword_model import FIRST_PIECE
from keras_seq2seq.text.subword_model import LONGEST_WORD
from keras_seq2seq.text.subword_model import SPACE
from keras_seq2seq.text.vocabulary import SPECIAL_TOKENS
from keras_seq2seq.text.written_words import BLANK
from keras_seq2seq.text.written_words import kind_ranges

NONE = np.iinfo("int64").max  # of what is less the better
HALF = 2**32  # two numbers in one int64


def subword_graph(tokenizer):
    """`tf.Module` equal to a `SubwordTokenizer`, for use in a `tf.function`.

    - `encode(text, max_length=None)`: strings `(batch,)`, at least one, to
      int32 ids `(batch, max(1, longest))` and int32 lengths `(batch,)`.
      `max_length` cuts.
    - `tokenize(text, max_length=None)`: to the tokens, strings of that shape,
      `""` at padding.
    - `written(text, max_length=None)`: to the words that they begin in.
    - `decode(ids, instead=None)`: int32 ids `(..., length)` to strings
      `(...,)`. Strings of the shape of `ids` take the place of unknown tokens
      where they are not `""`.

    The characters of the whole batch lie in one row, and each turn of a loop
    joins the best pair of every word: as many turns as the longest word has
    pieces joined. Long texts are cut before, after as many characters as
    `max_length` tokens can have. The tables are constants of the graph.

    Args:
        tokenizer: `SubwordTokenizer`.

    Returns:
        `tf.Module` that tracks its tables.
    """
    import tensorflow as tf

    tokens = tokenizer.vocabulary.tokens
    pieces = dict(enumerate(tokens[len(BYTES) :], FIRST_PIECE))
    ids = {piece: index for index, piece in pieces.items()}
    module = tf.Module(name="subword_graph")
    module.longest = max(map(len, ids))
    singles = {ord(x): index for x, index in ids.items() if len(x) == 1}
    module.singles = _table(singles, tf.int64, tf.int64, -1)
    pairs = {-1: -1, **dict(_pairs(ids))}  # no table may be empty
    module.pairs = _table(pairs, tf.int64, tf.int64, -1)
    named = dict(enumerate(tokens, len(SPECIAL_TOKENS)))
    module.pieces = _table(named, tf.int64, tf.string, "")
    texts = {len(SPECIAL_TOKENS) + i: bytes([i]) for i in range(len(BYTES))}
    for index, piece in pieces.items():
        texts[index] = piece.replace(SPACE, " ")
    module.texts = _table(texts, tf.int64, tf.string, tokenizer.unknown_text)
    module.encode = functools.partial(_encode, module)
    module.tokenize = functools.partial(_tokenize, module)
    module.written = functools.partial(_written, module)
    module.decode = functools.partial(_decode, module.texts)
    return module


def _pairs(ids):
    """All ways to cut a piece in two, in one number, and the piece."""
    for piece, index in ids.items():
        for place in range(1, len(piece)):
            left, right = ids.get(piece[:place]), ids.get(piece[place:])
            if left is not None and right is not None:
                yield left * HALF + right, index


def _table(content, key_dtype, value_dtype, default):
    import tensorflow as tf

    initializer = tf.lookup.KeyValueTensorInitializer(
        tf.constant([*content], key_dtype),
        tf.constant([*content.values()], value_dtype),
    )
    return tf.lookup.StaticHashTable(initializer, default)


def _encode(module, text, max_length=None):
    ids, _ = _tokens(module, _characters(module, text, max_length))
    return graph.pad(ids, max_length)


def _tokenize(module, text, max_length=None):
    ids, _ = _tokens(module, _characters(module, text, max_length))
    pieces = ids.with_values(module.pieces.lookup(ids.values))
    return graph.pad_tokens(pieces, max_length)


def _written(module, text, max_length=None):
    characters = _characters(module, text, max_length)
    ids, begins = _tokens(module, characters)
    words = ids.with_values(_words(characters, begins))
    return graph.pad_tokens(words, max_length)


def _characters(module, text, max_length):
    """Ragged int64 code points, a space in front of each text."""
    import tensorflow as tf

    code_points = tf.strings.unicode_decode(
        text, "UTF-8", errors="replace", replacement_char=0xFFFD
    )
    if max_length is not None:  # the last word has to be whole
        code_points = code_points[
            :, : max_length * module.longest + LONGEST_WORD
        ]
    flat = tf.cast(code_points.values, tf.int64)
    flat = tf.where(flat == ord(" "), np.int64(ord(SPACE)), flat)
    code_points = code_points.with_values(flat)
    fronts = tf.cast(code_points.row_lengths() > 0, tf.int64)
    spaces = tf.fill([tf.reduce_sum(fronts)], np.int64(ord(SPACE)))
    fronts = tf.RaggedTensor.from_row_lengths(spaces, fronts)
    return tf.concat([fronts, code_points], axis=1)


def _tokens(module, characters):
    """Ragged ids, and for each of them where its first character is."""
    import tensorflow as tf

    flat, rows = characters.values, characters.value_rowids()
    singles = module.singles.lookup(flat)
    # A character that no piece has: below zero, and in no pair.
    symbols = tf.where(singles < 0, -1 - flat, singles)
    symbols, begins = _joined(module.pairs, symbols, _word_numbers(flat))
    ids, places = _with_bytes(symbols)
    begins = tf.gather(begins, places)
    ids = tf.RaggedTensor.from_value_rowids(
        ids, tf.gather(rows, begins), characters.nrows()
    )
    return ids, begins


def _word_numbers(flat):
    """Which word each character is in; a long one is several."""
    import tensorflow as tf

    starts = flat == ord(SPACE)
    index = tf.range(tf.size(flat, tf.int64))
    numbers = tf.cumsum(tf.cast(starts, tf.int64)) - 1
    within = index - tf.gather(tf.boolean_mask(index, starts), numbers)
    starts |= within % LONGEST_WORD == 0
    return tf.cumsum(tf.cast(starts, tf.int64)) - 1


def _joined(pairs, symbols, words):
    """Symbols of no pair any more, and where each begins.

    Of equal pairs the leftmost comes first: one number holds the piece that a
    pair becomes, low if it was learned early, and the place of the pair.
    """
    import tensorflow as tf

    count = tf.reduce_max(tf.concat([[-1], words], axis=0)) + 1

    def best_pairs(symbols, begins):
        own = tf.gather(words, begins)
        joined = pairs.lookup(symbols[:-1] * HALF + symbols[1:])
        place = tf.range(tf.size(joined, tf.int64))
        known = (joined >= 0) & (own[:-1] == own[1:])
        ranks = tf.where(known, joined * HALF + place, NONE)
        best = tf.math.unsorted_segment_min(ranks, own[:-1], count)
        return symbols, begins, tf.boolean_mask(best, best < NONE)

    def body(symbols, begins, best):
        places = (best % HALF)[:, None]
        symbols = tf.tensor_scatter_nd_update(symbols, places, best // HALF)
        gone = tf.fill([tf.size(best)], False)
        kept = tf.ones_like(symbols, tf.bool)
        kept = tf.tensor_scatter_nd_update(kept, places + 1, gone)
        kept = tf.where(kept)[:, 0]
        return best_pairs(tf.gather(symbols, kept), tf.gather(begins, kept))

    begins = tf.range(tf.size(symbols, tf.int64))
    symbols, begins, _ = tf.while_loop(
        lambda symbols, begins, best: tf.size(best) > 0,
        body,
        best_pairs(symbols, begins),
        shape_invariants=(tf.TensorShape([None]),) * 3,
    )
    return symbols, begins


def _with_bytes(symbols):
    """Ids, and for each of them which symbol it is of."""
    import tensorflow as tf

    code_points = tf.where(symbols < 0, -1 - symbols, 0)
    limits = (0x80, 0x800, 0x10000)
    sizes = 1 + sum(tf.cast(code_points >= x, tf.int64) for x in limits)
    places = tf.repeat(tf.range(tf.size(symbols, tf.int64)), sizes)
    within = tf.range(tf.size(places, tf.int64)) - tf.gather(
        tf.cumsum(sizes, exclusive=True), places
    )
    sizes = tf.gather(sizes, places)
    code_points = tf.gather(code_points, places)
    # Six bits a byte behind the first, which begins with as many ones as
    # there are bytes; a single byte has seven.
    bits = tf.bitwise.right_shift(code_points, 6 * (sizes - 1 - within))
    ones = tf.bitwise.right_shift(tf.constant(0xFF00, tf.int64), sizes) & 0xFF
    first = bits + tf.where(sizes > 1, ones, 0)
    found = tf.where(within == 0, first, bits % 64 + 128)
    symbols = tf.gather(symbols, places)
    return tf.where(symbols < 0, found + len(SPECIAL_TOKENS), symbols), places


def _words(characters, begins):
    """The word that begins at each place or behind its space, or `""`."""
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


def _decode(table, ids, instead=None):
    import tensorflow as tf

    ids = tf.cast(ids, tf.int64)
    if instead is not None:
        instead = tf.strings.regex_replace(instead, SPACE, " ")
    texts = graph.with_unknown(table.lookup(ids), ids, instead)
    texts = tf.where(graph.keep(ids), texts, "")
    text = tf.strings.reduce_join(texts, axis=-1)
    text = tf.strings.unicode_transcode(text, "UTF-8", "UTF-8")
    return tf.strings.regex_replace(text, "^ ", "", replace_global=False)
