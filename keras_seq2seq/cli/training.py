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
    learning_rate: float, *, batches: int, epochs: float
) -> keras.optimizers.Optimizer:
    """Adam whose rate falls to 0 in a cosine over all steps of training.

    Args:
        learning_rate: Number, the first and highest.
        batches: Integer, of an epoch.
        epochs: Number.
    """
    steps = max(1, round(batches * epochs))
    schedule = keras.optimizers.schedules.CosineDecay(learning_rate, steps)
    return keras.optimizers.Adam(schedule, clipnorm=1.0)


def fit(task, dataset, *, epochs, validation_data=None, keep=None) -> bool:
    """`task.fit` that shows progress; gives whether a signal ended it.

    Args:
        task: Task.
        dataset: What `task.batches` gave.
        validation_data: As of `task.fit`.
        epochs: Number, also a fraction: the last one then ends early.
        keep: Function without arguments, to keep what was trained. A signal
            that comes while it runs lets it end, too.
    """
    callbacks = [StepLimit(max(1, round(len(dataset) * epochs)))]
    lines, stop = not sys.stdout.isatty(), GracefulStop()
    if lines:
        callbacks.append(ProgressLines(stop))
    with stop:
        task.fit(
            dataset,
            validation_data=validation_data,
            batch_size=dataset.batch_size,
            epochs=math.ceil(epochs),
            verbose=0 if lines else 1,
            validation_freq=stop.validation_freq,
            callbacks=[stop, *callbacks],
        )
        if keep is not None:
            keep()
    return stop.stopped


def epochs_a_second(task, dataset, *, seconds=20) -> float:
    """Speed of training, measured on the task; its weights stay as they are."""
    clock = _Clock(seconds)
    weights = task.model.get_weights()
    task.compile()
    task.fit(dataset, verbose=0, callbacks=[clock])
    task.model.set_weights(weights)
    # The median, since some batches compile.
    batch_seconds = max(1e-6, statistics.median(clock.durations))
    return 1 / (len(dataset) * batch_seconds)


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
