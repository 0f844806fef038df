"""What the preparation of batches costs a training.

    KERAS_BACKEND=jax python benchmarks/pipeline.py

Makes the batches of a `BucketedDataset`, and trains a small Transformer on
them, in turns. Reports the median milliseconds of a batch and of a step.
"""

import argparse
import statistics
import time

import keras
import numpy as np

import keras_seq2seq as k2s

SIZE = 8000  # of both vocabularies


def make_dataset(pairs):
    """Random ids with lengths like those of sentences."""
    generator = np.random.default_rng(0)
    lengths = np.clip(generator.gamma(4, 5, (2, pairs)), 1, 47).astype(int)
    sides = [
        k2s.data.TokenRows.from_rows(
            generator.integers(4, SIZE, length) for length in side
        )
        for side in lengths
    ]
    return k2s.data.BucketedDataset(
        *sides, tokens_per_batch=4096, num_buckets=4, seed=0
    )


def make_model():
    model = k2s.models.Seq2Seq.from_preset(
        "transformer_2017_small",
        source_vocabulary_size=SIZE,
        target_vocabulary_size=SIZE,
    )
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile("adam", loss)
    return model


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    dataset, model = make_dataset(options.pairs), make_model()
    data = k2s.data.for_fit(dataset)

    def prepare():
        for index in range(len(dataset)):
            dataset[index]

    def train():
        model.fit(data, shuffle=False, verbose=0)

    seconds = {prepare: [], train: []}
    train()  # compiles
    for _ in range(options.rounds):
        for run, found in seconds.items():
            begun = time.perf_counter()
            run()
            found.append(time.perf_counter() - begun)
    batch, step = (
        1000 * statistics.median(found) / len(dataset)
        for found in seconds.values()
    )
    print(
        f"{keras.backend.backend()}: {batch:.2f} ms a batch, {step:.1f} ms a "
        f"step with it, {batch / step:.1%}"
    )


if __name__ == "__main__":
    main()
