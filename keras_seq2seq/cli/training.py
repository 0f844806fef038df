"""Training as the commands do it."""

import math
import statistics
import sys
import time

import keras

from keras_seq2seq.cli.graceful_stop import GracefulStop
from keras_seq2seq.cli.progress_lines import ProgressLines
from keras_seq2seq.cli.step_limit import StepLimit


def adam(
    learning_rate: float, *, pairs: int, batch_size: int, epochs: float
) -> keras.optimizers.Optimizer:
    """Adam whose rate falls to 0 in a cosine over all steps of training."""
    steps = max(1, round(math.ceil(pairs / batch_size) * epochs))
    schedule = keras.optimizers.schedules.CosineDecay(learning_rate, steps)
    return keras.optimizers.Adam(schedule, clipnorm=1.0)


def pair_count(corpus) -> int:
    """Number of pairs that training sees in an epoch."""
    return sum(map(len, corpus.references))


def fit(
    task, corpus, *, batch_size, epochs, validation_data=None, keep=None
) -> bool:
    """`task.fit` that shows progress; gives whether a signal ended it.

    Args:
        task: Task.
        corpus, validation_data, batch_size: As of `task.fit`.
        epochs: Number, also a fraction: the last one then ends early.
        keep: Function without arguments, to keep what was trained. A signal
            that comes while it runs lets it end, too.
    """
    batches = math.ceil(pair_count(corpus) / batch_size)
    callbacks = [StepLimit(max(1, round(batches * epochs)))]
    lines = not sys.stdout.isatty()
    if lines:
        callbacks.append(ProgressLines())
    with GracefulStop() as stop:
        task.fit(
            corpus,
            validation_data=validation_data,
            batch_size=batch_size,
            epochs=math.ceil(epochs),
            verbose=0 if lines else 1,
            validation_freq=stop.validation_freq,
            callbacks=[stop, *callbacks],
        )
        if keep is not None:
            keep()
    return stop.stopped


def epochs_a_second(task, corpus, batch_size, *, seconds=20) -> float:
    """Speed of training, measured on the task; its weights stay as they are."""
    clock = _Clock(seconds)
    weights = task.model.get_weights()
    task.compile()
    task.fit(corpus, batch_size=batch_size, verbose=0, callbacks=[clock])
    task.model.set_weights(weights)
    # The median, since some batches compile.
    batch_seconds = max(1e-6, statistics.median(clock.durations))
    batches = math.ceil(pair_count(corpus) / batch_size)
    return 1 / (batches * batch_seconds)


class _Clock(keras.callbacks.Callback):
    """Durations of batches: some seconds' worth, and ten of them at least."""

    def __init__(self, seconds):
        super().__init__()
        self.seconds = seconds
        self.durations = []

    def on_train_begin(self, logs=None):
        self.begun = self.last = time.monotonic()

    def on_train_batch_end(self, batch, logs=None):
        now = time.monotonic()
        self.durations.append(now - self.last)
        self.last = now
        enough = len(self.durations) >= 10 and now - self.begun >= self.seconds
        self.model.stop_training = enough
