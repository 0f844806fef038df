"""The decoder layer alone: time and memory of a training step.

    KERAS_BACKEND=tensorflow python benchmarks/decoder_layer.py
    KERAS_BACKEND=tensorflow python benchmarks/decoder_layer.py --memory

Forward, backward and SGD of a `RecurrentDecoder` with 512 units over 25 steps,
in float32. Placements take turns step by step; the table has medians. With
`--memory`, the peak of the process (the operating system's account) for
sources of 50, 100 and 200 places, each in a process of its own.
"""

import argparse
import resource
import statistics
import subprocess
import sys
import time

import keras
import numpy as np

import keras_seq2seq as k2s

UNITS, STEPS = 512, 25


def decoders(score):
    def gru():
        return keras.layers.GRUCell(UNITS)

    return {
        "Bahdanau": k2s.layers.BahdanauCell(gru(), score),
        "Luong, input feeding": k2s.layers.LuongCell(gru(), score),
        "Luong, no input feeding": k2s.layers.LuongCell(
            gru(), score, input_feeding=False
        ),
    }


def model_around(cell, batch_size, source_length):
    """A model of the decoder layer and no other, and its batch."""
    rng = np.random.default_rng(0)
    inputs = keras.Input((STEPS, 256)), keras.Input((source_length, UNITS))
    decoder = k2s.layers.RecurrentDecoder(cell, bridge="zero")
    model = keras.Model(
        inputs, decoder(*inputs, {"forward": [inputs[1][:, 0]]})
    )
    model.compile(
        "sgd", "mse", jit_compile=k2s.models.compilation.jit_compile()
    )
    shapes = [(batch_size, *x.shape[1:]) for x in (*inputs, model.output)]
    *x, y = (rng.normal(size=shape).astype("float32") for shape in shapes)
    return lambda: float(np.asarray(model.train_on_batch(x, y)))


def measure_time(score, batch_size, source_length, seconds):
    steps = {
        name: model_around(cell, batch_size, source_length)
        for name, cell in decoders(score).items()
    }
    for step in steps.values():
        step(), step()
    times = {name: [] for name in steps}
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for name, step in steps.items():
            begun = time.perf_counter()
            step()
            times[name].append(time.perf_counter() - begun)
    medians = {name: statistics.median(x) for name, x in times.items()}
    print(
        f"\n| {score} score | ms a step | times Bahdanau |\n| --- | --- | --- |"
    )
    for name, median in medians.items():
        ratio = medians["Bahdanau"] / median
        print(f"| {name} | {1e3 * median:.0f} | {ratio:.2f} |", flush=True)


def peak(source_length, batch_size):
    """Peak memory in MiB of three training steps, imports taken off."""
    cell = k2s.layers.BahdanauCell(keras.layers.GRUCell(UNITS), "additive")
    step = model_around(cell, batch_size, 2)
    step()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    cell = k2s.layers.BahdanauCell(keras.layers.GRUCell(UNITS), "additive")
    step = model_around(cell, batch_size, source_length)
    for _ in range(3):
        step()
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return (after - before) / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scores", default="bilinear,additive")
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--source-length", type=int, default=25)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--memory", action="store_true")
    parser.add_argument("--peak", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    print(f"{keras.backend.backend()}, batch {options.batch_size}", flush=True)
    if options.peak:
        print(f"{peak(options.peak, options.batch_size):.0f}")
    elif options.memory:
        print("\n| source length | MiB |\n| --- | --- |")
        for length in (50, 100, 200):
            command = [sys.executable, __file__, f"--peak={length}"]
            command.append(f"--batch-size={options.batch_size}")
            done = subprocess.run(
                command, check=True, capture_output=True, text=True
            )
            print(f"| {length} | {done.stdout.split()[-1]} |", flush=True)
    else:
        for score in options.scores.split(","):
            measure_time(
                score,
                options.batch_size,
                options.source_length,
                options.seconds,
            )


if __name__ == "__main__":
    main()
