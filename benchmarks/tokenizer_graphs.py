"""Whether the graphs of tokenizers equal their Python, and their times.

    python benchmarks/tokenizer_graphs.py FILE [FILE ...]

Lines of text files teach each kind of tokenizer 8,000 pieces; 10,000 of them
and 10,000 random strings are encoded and decoded both ways. Prints a row for
each: seconds of learning; tokens a line; how many ids and decoded texts differ,
of lines and of random strings (none may); milliseconds of the fastest call of
the graph for 1 line, 32 lines, 1,000 characters, a word of 10,000, and 1,023
lines beside a word of 5,000; of decoding 32 lines; and of Python, a line.
"""

import functools
import pathlib
import sys
import tempfile
import time
import warnings

import numpy as np
import tensorflow as tf

import keras_seq2seq as k2s

COUNT, BATCH, SIZE = 10_000, 500, 8000
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
    """How many ids and decoded texts are not those of Python."""
    ids_differ = texts_differ = 0
    for batch in batches(texts):
        ids, lengths = encode([k2s.text.to_utf8(text) for text in batch])
        rows = [row[:n].tolist() for row, n in zip(ids.numpy(), lengths)]
        expected = [tokenizer.encode(text) for text in batch]
        ids_differ += sum(x != y for x, y in zip(rows, expected))
        back = [tokenizer.decode(row) for row in expected]
        found = [text.decode() for text in decode(ids).numpy()]
        texts_differ += sum(x != y for x, y in zip(found, back))
    return ids_differ, texts_differ


def milliseconds(function, *arguments, seconds=1.0):
    """The least of the calls in so many seconds, after the first."""
    function(*arguments)
    end, times = time.perf_counter() + seconds, []
    while time.perf_counter() < end:
        begin = time.perf_counter()
        function(*arguments)
        times.append(time.perf_counter() - begin)
    return min(times) * 1e3


def byte_pairs(lines):
    """A tokenizer of the package tokenizers, by way of its file."""
    import tokenizers

    level = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    learned = tokenizers.Tokenizer(tokenizers.models.BPE())
    learned.pre_tokenizer = level
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=SIZE,
        initial_alphabet=level.alphabet(),
        show_progress=False,
    )
    learned.train_from_iterator(lines, trainer)
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/tokenizer.json"
        learned.save(path)
        return k2s.text.BytePairTokenizer.from_file(path)


def kinds():
    """Dict of name -> function of lines to a tokenizer."""
    found = {}
    for model_type in ("bpe", "unigram"):
        for normalization in ("identity", "nmt_nfkc"):
            found[f"{model_type}, {normalization}"] = functools.partial(
                k2s.text.SubwordTokenizer.from_texts,
                vocabulary_size=SIZE,
                model_type=model_type,
                normalization=normalization,
            )
    words = k2s.text.WordTokenizer.from_texts
    return {
        **found,
        "byte pairs": byte_pairs,
        "words": functools.partial(words, vocabulary_size=SIZE),
        "bytes": k2s.text.ByteTokenizer.from_texts,
    }


def report(name, learn, lines, chosen):
    """Print a row of the table."""
    begin = time.perf_counter()
    tokenizer = learn(lines)
    seconds = time.perf_counter() - begin
    graph = tokenizer.graph("")
    strings = tf.TensorSpec([None], tf.string)
    rows = tf.TensorSpec([None, None], tf.int32)
    encode = tf.function(graph.encode, input_signature=[strings])
    decode = tf.function(graph.decode, input_signature=[rows])
    differ = [
        differing(tokenizer, encode, decode, texts)
        for texts in (chosen, [*random_texts(COUNT)])
    ]
    cells = [
        f"{milliseconds(encode, tf.constant(texts)):.2f}"
        for texts in (
            chosen[:1],
            chosen[:32],
            [" ".join(chosen[:30])[:1000]],
            ["ab" * 5000],
            [*chosen[:1023], "ab" * 2500],
        )
    ]
    back = milliseconds(decode, encode(chosen[:32])[0])
    begin = time.perf_counter()
    count = sum(len(tokenizer.encode(text)) for text in chosen) / len(chosen)
    own = (time.perf_counter() - begin) / len(chosen) * 1e3
    print(
        f"| {name} | {seconds:.1f} | {count:.1f} | {differ} | "
        f"{' | '.join(cells)} | {back:.2f} | {own:.3f} |",
        flush=True,
    )


def main(*paths):
    lines = [
        line
        for path in paths
        for line in pathlib.Path(path).read_text("utf-8").split("\n")
        if line
    ]
    warnings.simplefilter("ignore")  # few lines give fewer pieces
    chosen = lines[:: max(1, len(lines) // COUNT)][:COUNT]
    for name, learn in kinds().items():
        report(name, learn, lines, chosen)


if __name__ == "__main__":
    main(*sys.argv[1:])
