"""Byte pair encoding in a TensorFlow graph."""

import numpy as np

NONE = np.iinfo("int64").max  # of what is less the better
HALF = 2**32  # two numbers in one int64


def joined(pairs, symbols, words, results=None):
    """Symbols of no pair any more, and where each begins.

    Each turn of a loop joins the best pair of every word: as many turns as the
    longest word has pieces joined. Of equal pairs the leftmost comes first: one
    number holds the value of a pair, low if it was learned early, and its
    place.

    Args:
        pairs: Table of `left * HALF + right` -> the symbol that they become.
            Symbols have the order in which they were learned. -1: no pair.
        symbols: int64 `(n,)`, of all words in a row.
        words: int64 `(n,)`, the number of each symbol's word, from 0 on.
        results: int64 `(ranks,)`, the symbol of each value of `pairs`. Defaults
            to `None`: the value itself.

    Returns:
        int64 `(m,)`, the symbols, and int64 `(m,)`, their first places.
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
        new = best // HALF
        new = new if results is None else tf.gather(results, new)
        symbols = tf.tensor_scatter_nd_update(symbols, places, new)
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
