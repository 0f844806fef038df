"""What a cached step of a Transformer costs, and how often it is traced.

    KERAS_BACKEND=jax python benchmarks/transformer_step.py

The cache has `max_length` places from the start, so a step costs the same at
the first token as at the last: it should grow at most linearly in
`max_length`. Traces are calls of the step in Python while texts of all lengths
up to 32 are answered: they should be bounded by the few padded lengths, 9 of
them, times the traces of one shape. Weights are random, and no answer ends
before `max_length`.
"""

import argparse
import time

import keras
import numpy as np

import keras_seq2seq as k2s

LENGTHS = 25, 100, 400
SIZE = 40  # of the vocabulary
END = 2


def build(preset, **settings):
    return k2s.models.Seq2Seq.from_preset(
        preset,
        source_vocabulary_size=SIZE,
        target_vocabulary_size=SIZE,
        **settings,
    )


def milliseconds(model, max_length, *, rows, beams, source_length, repeats):
    """Median and best time of one step of the search."""
    search = k2s.search.BeamSearch(
        num_beams=beams, max_length=max_length, min_length=max_length
    )
    inference = k2s.models.InferenceModel(model, search, end_token_id=END)
    rng = np.random.default_rng(0)
    source = rng.integers(4, SIZE, (rows, source_length)).astype("int32")
    for _ in range(2):  # TensorFlow traces twice
        found = inference.predict_on_batch(source)
    if np.min(found["lengths"]) < max_length:
        raise RuntimeError("An answer ended early; the steps are not known.")
    times = []
    for _ in range(repeats):
        begun = time.perf_counter()
        inference.predict_on_batch(source)
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


def main(
    *,
    preset="transformer_2017_small",
    lengths=LENGTHS,
    rows=8,
    beams=5,
    source_length=16,
    repeats=5,
    **settings,
):
    backend = keras.backend.backend()
    print(f"{preset} on {backend}, {rows} rows, {beams} beams")
    model, table = build(preset, **settings), []
    print("\n| max_length | ms a step, median | best | to the shortest |")
    print("| ---: | ---: | ---: | ---: |")
    for length in lengths:
        median, best = milliseconds(
            model,
            length,
            rows=rows,
            beams=beams,
            source_length=source_length,
            repeats=repeats,
        )
        table.append((length, median, best))
        share = median / table[0][1]
        print(f"| {length} | {median:.2f} | {best:.2f} | {share:.1f} |")
    traces = None
    if backend != "torch":  # which does not trace
        traces = count_traces(preset, **settings)
        print(f"\nTraces of the step: {traces[0]} for one source length, ")
        print(f"{traces[1]} for all from 1 to 32")
    return table, traces


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--preset", default="transformer_2017_small")
    parser.add_argument("--rows", type=int, default=8)
    parser.add_argument("--beams", type=int, default=5)
    parser.add_argument("--repeats", type=int, default=5)
    main(**vars(parser.parse_args()))
