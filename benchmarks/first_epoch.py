"""What compiling adds to the first of two epochs, in wall and CPU seconds.

    KERAS_BACKEND=jax python benchmarks/first_epoch.py [NUM_BUCKETS]

8,000 words of the dictionary of the package, `bahdanau_2015_small`, batches of
256. Without NUM_BUCKETS, what `fit` chooses. JAX_COMPILATION_CACHE_DIR is the
folder of JAX's cache, as the command line sets it.
"""

import os
import sys
import time

import keras

import keras_seq2seq as k2s

WORDS, BATCH_SIZE, EPOCHS = 8000, 256, 2


class Clock(keras.callbacks.Callback):
    """Prints how long each epoch took."""

    def on_epoch_begin(self, epoch, logs=None):
        self.wall, self.cpu = time.monotonic(), time.process_time()

    def on_epoch_end(self, epoch, logs=None):
        wall = time.monotonic() - self.wall
        cpu = time.process_time() - self.cpu
        load = os.getloadavg()[0]
        print(f"epoch {epoch + 1}: {wall:.1f} s, CPU {cpu:.1f} s, load {load}")


def main(num_buckets=None):
    keras.utils.set_random_seed(0)
    pairs = k2s.data.cmudict().train[:: 109_788 // WORDS][:WORDS]
    task = k2s.tasks.TextToText.from_corpus(pairs, "bahdanau_2015_small")
    task.compile()
    batches = task.batches(
        pairs,
        batch_size=BATCH_SIZE,
        num_buckets=num_buckets and int(num_buckets),
        epochs=EPOCHS,
    )
    print(f"{len(batches)} batches of the shapes {batches.buckets}")
    task.fit(batches, epochs=EPOCHS, verbose=0, callbacks=[Clock()])


if __name__ == "__main__":
    main(*sys.argv[1:])
