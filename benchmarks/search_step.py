"""What a step of the search costs: time, memory and traces.

    KERAS_BACKEND=jax python benchmarks/search_step.py
    KERAS_BACKEND=jax python benchmarks/search_step.py --preset luong_2015_small
    KERAS_BACKEND=jax python benchmarks/search_step.py --memory

Time: a recurrent step should not depend on `max_length` at all. The cache of a
Transformer has `max_length` places from the start, so its step costs the same
at the first token as at the last, and should grow at most linearly in
`max_length`. With attention scores, the forced pass that gives them counts.

Traces are calls of the step in Python while texts of all lengths up to 32 are
answered: they should be bounded by the few padded lengths, 9 of them, times the
traces of one shape.

Memory: the peak of a process (the operating system's account) that searches
once with 1 and with 10 beams, imports and weights taken off, on the shapes of
workload D2: 8,000 words, 32 sources of 25, 30 steps.

Weights are random, and no answer ends before `max_length`.
"""

import argparse
import resource
import subprocess
import sys
import time

import keras
import numpy as np

import keras_seq2seq as k2s

SIZE = 40  # of the vocabulary
END = 2


def build(preset, **settings):
    return k2s.models.Seq2Seq.from_preset(
        preset,
        source_vocabulary_size=SIZE,
        target_vocabulary_size=SIZE,
        **settings,
    )


def searcher(model, max_length, *, rows, beams, source_length, attention=False):
    """A function that searches once; every row takes all steps."""
    search = k2s.search.BeamSearch(
        num_beams=beams, max_length=max_length, min_length=max_length
    )
    inference = k2s.models.InferenceModel(
        model, search, end_token_id=END, return_attention_scores=attention
    )
    rng = np.random.default_rng(0)
    size = model.source.vocabulary_size
    source = rng.integers(4, size, (rows, source_length)).astype("int32")

    def function():
        found = inference.predict_on_batch(source)
        if np.min(found["lengths"]) < max_length:
            raise RuntimeError("An answer ended early: too few steps.")

    return function


def milliseconds(model, max_length, *, repeats, **sizes):
    """Median and best time of one step of the search."""
    function = searcher(model, max_length, **sizes)
    for _ in range(2):  # TensorFlow traces twice
        function()
    times = []
    for _ in range(repeats):
        begun = time.perf_counter()
        function()
        times.append((time.perf_counter() - begun) / max_length * 1000)
    return float(np.median(times)), min(times)


def count_traces(preset, **settings):
    """Calls of the step in Python: for one length, and for 1 to 32."""
    letters = k2s.text.CharacterTokenizer.from_texts(["ab"])
    model = k2s.models.Seq2Seq.from_preset(
        preset,
        source_vocabulary_size=len(letters.vocabulary),
        target_vocabulary_size=len(letters.vocabulary),
        **settings,
    )
    search = k2s.search.GreedySearch(max_length=8)
    task = k2s.tasks.TextToText(model, letters, letters, search)
    calls, step = [], model.decode_step
    model.decode_step = lambda *args, **kwargs: (
        calls.append(None) or step(*args, **kwargs)
    )
    task.generate(["abab"])
    one = len(calls)
    for length in range(1, 33):
        task.generate(["ab" * (length // 2) + "a" * (length % 2)])
    return one, len(calls)


def model_of_d2():
    cell = k2s.layers.LuongCell(
        keras.layers.GRUCell(512), score=k2s.layers.AdditiveScore(512)
    )
    return k2s.models.Seq2Seq(
        k2s.layers.RecurrentEncoder(
            keras.layers.GRUCell(256), bidirectional=True
        ),
        k2s.layers.RecurrentDecoder(cell, bridge="dense"),
        source_vocabulary_size=8000,
        target_vocabulary_size=8000,
        embedding_dim=256,
    )


def peak(beams):
    """Peak memory in MiB of one search, imports and weights taken off."""
    model, sizes = model_of_d2(), {"rows": 32, "source_length": 25}
    searcher(model, 2, beams=1, rows=1, source_length=2)()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    searcher(model, 30, beams=beams, **sizes)()
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return (after - before) / 1024


def measure_memory():
    print("\n| beams | MiB |\n| ---: | ---: |")
    for beams in (1, 10):
        done = subprocess.run(
            [sys.executable, __file__, f"--peak={beams}"],
            check=True,
            capture_output=True,
            text=True,
        )
        print(f"| {beams} | {done.stdout.split()[-1]} |", flush=True)


def measure_time(preset, lengths, *, repeats, settings=None, **sizes):
    """Table of (attention, max_length, median, best)."""
    print(f"{preset}, {sizes['rows']} rows, {sizes['beams']} beams")
    model, table = build(preset, **(settings or {})), []
    print("\n| scores | max_length | ms a step | best | to the shortest |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for attention in (False, True):
        first = None
        for length in lengths:
            median, best = milliseconds(
                model, length, repeats=repeats, attention=attention, **sizes
            )
            first = first or median
            table.append((attention, length, median, best))
            print(
                f"| {'yes' if attention else 'no'} | {length} | {median:.2f} "
                f"| {best:.2f} | {median / first:.2f} |",
                flush=True,
            )
    return table


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("--preset", default="transformer_2017_small")
    add("--lengths", type=int, nargs="+", default=(25, 100, 400))
    add("--rows", type=int, default=8)
    add("--beams", type=int, default=5)
    add("--source-length", type=int, default=16)
    add("--repeats", type=int, default=5)
    add("--memory", action="store_true")
    add("--peak", type=int, help=argparse.SUPPRESS)
    options = vars(parser.parse_args())
    memory, beams = options.pop("memory"), options.pop("peak")
    if beams:
        print(f"{peak(beams):.0f}")
        return
    print(keras.backend.backend())
    if memory:
        measure_memory()
        return
    measure_time(**options)
    if keras.backend.backend() != "torch":  # which does not trace
        one, all_lengths = count_traces(options["preset"])
        print(f"\nTraces of the step: {one} for one source length,")
        print(f"{all_lengths} for all from 1 to 32")


if __name__ == "__main__":
    main()
