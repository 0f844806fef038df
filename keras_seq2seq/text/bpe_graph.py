"""Byte pair encoding of SentencePiece in a TensorFlow graph."""

import functools

from keras_seq2seq.text import graph
from keras_seq2seq.text.merge_graph import HALF
from keras_seq2seq.text.merge_graph import joined


def bpe_segmenter(module, model):
    """Function that cuts characters into pieces.

    Args:
        module: `tf.Module` that tracks the tables.
        model: `SubwordModel`.

    Returns:
        Function of ragged int64 code points and, for each of them, the number
        of its word. It returns int64 symbols `(n,)`, an id or -1 - code point
        where no piece has a character, and the places where they begin.
    """
    import tensorflow as tf

    ids = {text: index for text, (index, _) in model.normal.items()}
    singles = {ord(x): index for x, index in ids.items() if len(x) == 1}
    table = functools.partial(
        graph.constant_table, key_dtype=tf.int64, value_dtype=tf.int64
    )
    module.singles = table(singles, default=-1)
    # No table may be empty.
    module.pairs = table({-1: -1, **dict(_pairs(ids))}, default=-1)
    return functools.partial(_segment, module)


def _pairs(ids):
    """All ways to cut a piece in two, in one number, and the piece."""
    for piece, index in ids.items():
        for place in range(1, len(piece)):
            left, right = ids.get(piece[:place]), ids.get(piece[place:])
            if left is not None and right is not None:
                yield left * HALF + right, index


def _segment(module, characters, words):
    import tensorflow as tf

    flat = characters.values
    singles = module.singles.lookup(flat)
    symbols = tf.where(singles < 0, -1 - flat, singles)  # of no pair
    return joined(module.pairs, symbols, words)
