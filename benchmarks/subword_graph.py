"""Whether the graph of `SubwordTokenizer` equals its Python, and its time.

    python benchmarks/subword_graph.py FILE [FILE ...]

Lines of text files teach 8,000 pieces; 10,000 of them and 10,000 random strings
are encoded and decoded both ways. Prints how many differ (none may), and the
milliseconds of the fastest call.
"""

import pathlib
import sys
import time
import warnings

import numpy as np
import tensorflow as tf

import keras_seq2seq as k2s

COUNT, BATCH = 10_000, 500
POOLS = [
    range(1, 128),
    range(0x250),
    range(0x3040, 0x3100),
    [*range(0xD7), *range(0xE000, 0x110000, 37)],
    [ord(x) for x in "ab  \t\n\0\u2581\u200b\u3000\xa0\u0301\u2585"],
    [ord(x) for x in "ablt"],
]


def random_texts(count):
    """Strings of all planes, of few characters, and of runs."""
    generator = np.random.default_rng(0)
    for place in range(count):
        pool = POOLS[place % len(POOLS)]
        picked = generator.integers(len(pool), size=generator.integers(60))
        text = "".join(chr(pool[i]) for i in picked)
        yield text * int(generator.choice([1, 1, 1, 2, 9]))


def batches(texts):
    for begin in range(0, len(texts), BATCH):
        yield texts[begin : begin + BATCH]


def differing(tokenizer, encode, decode, texts):
    """How many ids, round trips and decoded texts are not equal."""
    ids_differ = trips_differ = texts_differ = 0
    for batch in batches(texts):
        ids, lengths = encode([k2s.text.to_utf8(text) for text in batch])
        rows = [row[:n].tolist() for row, n in zip(ids.numpy(), lengths)]
        expected = [tokenizer.encode(text) for text in batch]
        ids_differ += sum(x != y for x, y in zip(rows, expected))
        back = [tokenizer.decode(row) for row in expected]
        plain = [text.replace("\u2581", " ") for text in batch]
        trips_differ += sum(x != y for x, y in zip(back, plain))
        found = [text.decode() for text in decode(ids).numpy()]
        texts_differ += sum(x != y for x, y in zip(found, back))
    return ids_differ, trips_differ, texts_differ


def differing_ids(tokenizer, decode, count):
    """How many decoded texts of random ids, half of them bytes, differ."""
    generator = np.random.default_rng(1)
    size = len(tokenizer.vocabulary)
    limits = np.where(generator.random((count, 1)) < 0.5, 260, size + 2)
    ids = generator.integers(3, limits, (count, 30), "int32")
    texts = [text.decode() for text in decode(ids).numpy()]
    return sum(x != tokenizer.decode(row) for x, row in zip(texts, ids))


def milliseconds(function, *arguments, seconds=2.0):
    """The least of the calls in so many seconds, after the first."""
    function(*arguments)
    end, times = time.perf_counter() + seconds, []
    while time.perf_counter() < end:
        begin = time.perf_counter()
        function(*arguments)
        times.append(time.perf_counter() - begin)
    return min(times) * 1e3


def main(*paths):
    lines = [
        line
        for path in paths
        for line in pathlib.Path(path).read_text("utf-8").split("\n")
        if line
    ]
    begin = time.perf_counter()
    warnings.simplefilter("ignore")  # few lines give fewer pieces
    tokenizer = k2s.text.SubwordTokenizer.from_texts(lines)
    seconds = time.perf_counter() - begin
    size = len(tokenizer.vocabulary)
    print(f"{len(lines)} lines, {size} pieces: {seconds:.1f} s")
    graph = tokenizer.graph("")
    strings = tf.TensorSpec([None], tf.string)
    rows = tf.TensorSpec([None, None], tf.int32)
    encode = tf.function(graph.encode, input_signature=[strings])
    decode = tf.function(graph.decode, input_signature=[rows])
    chosen = lines[:: max(1, len(lines) // COUNT)][:COUNT]
    for name, texts in ("lines", chosen), ("random", [*random_texts(COUNT)]):
        found = differing(tokenizer, encode, decode, texts)
        print(f"{len(texts)} {name}: ids, round trips, texts differ: {found}")
    print("random ids:", differing_ids(tokenizer, decode, COUNT), "differ")
    print(f"Python: {milliseconds(tokenizer.encode, chosen[0]):.3f} ms a line")
    cut = tf.function(lambda text: graph.encode(text, 512))
    for name, texts in {
        "1 line": chosen[:1],
        "32 lines": chosen[:32],
        "1,000 characters": [" ".join(chosen[:30])[:1000]],
        "a word of 10,000": ["ab" * 5000],
        "1,023 lines and a word of 5,000": [*chosen[:1023], "ab" * 2500],
    }.items():
        texts = tf.constant(texts)
        times = milliseconds(encode, texts), milliseconds(cut, texts)
        print(f"{name}: %.2f ms; at most 512 tokens: %.2f ms" % times)
    print(f"decode 32: {milliseconds(decode, encode(chosen[:32])[0]):.2f} ms")


if __name__ == "__main__":
    main(*sys.argv[1:])
