"""Unigram models of SentencePiece in a TensorFlow graph."""

import functools

import numpy as np

from keras_seq2seq.text import graph
from keras_seq2seq.text.subword_parts import PART

CODE_POINTS = 2**21
UNKNOWN_PENALTY = np.float32(10)  # below the lowest score of a piece


def unigram_segmenter(module, model):
    """Function that cuts characters into pieces, as `bpe_segmenter` does.

    Of all ways to cut a text, it finds the one whose sum of scores is highest,
    with the additions of sentencepiece in their order: float32 sums from the
    left, and of equal ones the first.

    Args:
        module: `tf.Module` that tracks the tables.
        model: `SubwordModel`.
    """
    import tensorflow as tf

    children, ids, scores = _trie(model.normal)
    module.children = graph.constant_table(children, tf.int64, tf.int64, -1)
    lowest = np.float32(min(score for _, score in model.normal.values()))
    tables = {
        "ids": np.array(ids, "int64"),
        "scores": np.array(scores, "float32"),
        "unknown": lowest - UNKNOWN_PENALTY,
    }
    return functools.partial(_segment, module.children, tables)


def _trie(pieces):
    """Nodes: dict of node and code point -> child; ids and scores of nodes."""
    children, ids, scores = {}, [-1], [-np.inf]
    for piece, (index, score) in pieces.items():
        node = 0
        for character in piece:
            key = node * CODE_POINTS + ord(character)
            node = children.setdefault(key, len(ids))
            if node == len(ids):
                ids.append(-1)
                scores.append(-np.inf)
        ids[node], scores[node] = index, score
    return children, ids, scores


def _segment(children, tables, characters, words):
    import tensorflow as tf

    flat = characters.values
    parts = _part_numbers(characters, words)
    nodes = _walks(children, flat, parts)  # (longest, n)
    ids = tf.gather(tf.constant(tables["ids"]), nodes)
    scores = tf.gather(tf.constant(tables["scores"]), nodes)
    # A character is unknown where no piece consists of it alone.
    unknown = ids[:1] < 0
    first = tf.where(unknown, tables["unknown"], scores[:1])
    scores = tf.concat([first, scores[1:]], axis=0)
    lengths = _best_lengths(tf.transpose(scores), parts)
    place = tf.range(tf.size(flat, tf.int64))
    # From the last character of a part, over the last one of each piece.
    is_last = tf.concat([parts[1:] != parts[:-1], [True]], axis=0)
    is_last = is_last[: tf.size(flat)]
    before = place - lengths
    same = tf.gather(parts, tf.maximum(before, 0)) == parts
    nexts = tf.where(same & (before >= 0), before, place)
    longest = tf.size(flat, tf.int64)
    ends = tf.where(graph.reached(is_last, nexts, longest))[:, 0]
    sizes = tf.gather(lengths, ends)
    begins = ends - sizes + 1
    found = tf.gather_nd(ids, tf.stack([sizes - 1, begins], axis=1))
    return tf.where(found < 0, -1 - tf.gather(flat, begins), found), begins


def _part_numbers(characters, words):
    """Which part of a text each character is in: some words, in a row."""
    import tensorflow as tf

    rows = characters.value_rowids()
    place = tf.range(tf.size(rows, tf.int64))
    within = place - tf.gather(characters.row_starts(), rows)
    new = tf.concat([[True], words[1:] != words[:-1]], axis=0)
    new = new[: tf.size(rows)]
    word_starts = tf.boolean_mask(within, new)
    blocks = tf.gather(word_starts, words) // PART
    other = (blocks[1:] != blocks[:-1]) | (rows[1:] != rows[:-1])
    return tf.cumsum(tf.pad(tf.cast(other, tf.int64), [[1, 0]]))[
        : tf.size(rows)
    ]


def _walks(children, flat, parts):
    """Nodes after 1, 2, ... characters from each place on, `(longest, n)`.

    As deep as any walk leads, at least one; 0, the root, where none does.
    """
    import tensorflow as tf

    last = tf.size(flat, tf.int64) - 1
    place = tf.range(tf.size(flat, tf.int64))

    def body(depth, node, nodes):
        there = tf.minimum(place + depth, last)
        inside = (place + depth <= last) & (tf.gather(parts, there) == parts)
        alive = inside & ((node > 0) | (depth == 0))
        key = node * CODE_POINTS + tf.gather(flat, there)
        child = children.lookup(tf.where(alive, key, -1))
        child = tf.maximum(child, 0)
        return depth + 1, child, nodes.write(tf.cast(depth, tf.int32), child)

    nodes = tf.TensorArray(
        tf.int64, size=0, dynamic_size=True, element_shape=[None]
    )
    nodes = nodes.write(0, tf.zeros_like(flat))
    _, _, nodes = tf.while_loop(
        lambda depth, node, nodes: (depth == 0) | tf.reduce_any(node > 0),
        body,
        (np.int64(0), tf.zeros_like(flat), nodes),
    )
    return nodes.stack()


def _best_lengths(scores, parts):
    """How long the last piece is of the best way to each place.

    Args:
        scores: float32 `(n, longest)`, of pieces by their beginnings.
        parts: int64 `(n,)`.

    Returns:
        int64 `(n,)`.
    """
    import tensorflow as tf

    by_part = tf.RaggedTensor.from_value_rowids(scores, parts)
    rows = by_part.row_lengths()
    padded = tf.transpose(by_part.to_tensor(-np.inf), [1, 0, 2])
    count, width = tf.shape(rows)[0], tf.shape(scores)[1]
    sizes = tf.range(1, tf.cast(width, tf.int64) + 1)[None]
    steps = tf.shape(padded)[0]

    def body(step, sums, lengths, found):
        # sums: of the ways that end behind 0, 1, ... further characters.
        new = sums[:, :1] + padded[step]
        better = new > sums[:, 1:]
        sums = tf.where(better, new, sums[:, 1:])
        lengths = tf.where(better, sizes, lengths)
        found = found.write(step, lengths[:, 0])
        sums = tf.pad(sums, [[0, 0], [0, 1]], constant_values=-np.inf)
        lengths = tf.pad(lengths[:, 1:], [[0, 0], [0, 1]])
        return step + 1, sums, lengths, found

    sums = tf.fill([count, width], np.float32(-np.inf))
    sums = tf.concat([tf.zeros([count, 1]), sums], axis=1)
    lengths = tf.zeros([count, width], tf.int64)
    # Of no characters too it has an element, to be stacked.
    size = tf.maximum(steps, 1)
    found = tf.TensorArray(tf.int64, size=size, element_shape=[None])
    found = found.write(0, tf.zeros([count], tf.int64))
    _, _, _, found = tf.while_loop(
        lambda step, *_: step < steps,
        body,
        (0, sums, lengths, found),
        shape_invariants=tuple(
            tf.TensorShape(x) for x in ([], [None] * 2, [None] * 2, None)
        ),
    )
    found = tf.transpose(found.stack())
    return tf.RaggedTensor.from_tensor(found, lengths=rows).values
