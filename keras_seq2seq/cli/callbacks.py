"""Keras callbacks of the commands that train."""

import contextlib
import os
import signal
import time

import keras

SIGNALS = signal.SIGINT, signal.SIGTERM
NOTICE = b"\nStopping after this batch; once more stops at once.\n"
SECONDS = 10  # between two lines of progress


class StepLimit(keras.callbacks.Callback):
    """Ends training after a number of batches.

    Args:
        steps: Integer. Number of batches, over all epochs.
    """

    def __init__(self, steps):
        super().__init__()
        self.steps = steps
        self.done = 0

    def on_train_batch_end(self, batch, logs=None):
        self.done += 1
        if self.done >= self.steps:
            self.model.stop_training = True


class GracefulStop(keras.callbacks.Callback):
    """Ends training after the batch during which a signal arrived.

    Ctrl-C and SIGTERM are treated alike. The model is complete at that point,
    under every backend. A second signal has its usual effect, immediately. Use
    it as a context manager around `fit` and the code that saves the result;
    only the main thread receives signals. A signal that the process was told
    to ignore is still ignored.

    An interrupted validation reports no metrics. With
    `validation_freq=stop.validation_freq`, none starts after the signal.
    """

    def __init__(self):
        super().__init__()
        self.stopped = self.broken_off = False
        self.validation_freq = _UntilStopped(self)
        self._previous = {}

    def __enter__(self):
        for number in SIGNALS:
            before = signal.getsignal(number)
            if before is not signal.SIG_IGN:
                self._previous[number] = before
                signal.signal(number, self._stop)
        return self

    def __exit__(self, *error):
        for number, before in self._previous.items():
            signal.signal(number, before)

    def _stop(self, signum, frame):
        self.stopped = True
        self.__exit__()
        with contextlib.suppress(OSError):
            os.write(2, NOTICE)  # `print` may be what was interrupted

    def on_train_batch_end(self, batch, logs=None):
        if self.stopped:
            self.model.stop_training = True

    def on_test_batch_end(self, batch, logs=None):
        if self.stopped:
            self.model.stop_evaluating = self.broken_off = True

    def on_epoch_end(self, epoch, logs=None):
        if self.stopped:
            self.model.stop_training = True
        if self.broken_off:
            for name in [name for name in logs if name.startswith("val_")]:
                del logs[name]


class ProgressLines(keras.callbacks.Callback):
    """Prints a line every ten seconds, where a progress bar cannot be drawn.

    Args:
        stop: `GracefulStop`, which knows whether a signal ended the training.
        tokens: Number of tokens of a batch, on average, for the speed.
        epochs: Number. May be a fraction.
    """

    def __init__(self, stop, tokens, epochs):
        super().__init__()
        self.stop = stop
        self.epochs = epochs
        self.tokens = tokens

    def on_train_begin(self, logs=None):
        self.shown = time.monotonic()
        self.epoch = 0
        self.first = None

    def on_epoch_begin(self, epoch, logs=None):
        self.epoch, self.batch = epoch, 0

    def on_train_batch_end(self, batch, logs=None):
        now = time.monotonic()
        steps = self.params["steps"]
        self.batch = batch + 1
        done = self.epoch + (batch + 1) / steps
        if self.first is None:  # it traces the model, and tells no speed
            self.first = now, done
        if now - self.shown < SECONDS:
            return
        self.shown = now
        self._show(f"batch {batch + 1}/{steps}", logs)
        begun, counted = self.first
        if done > counted:
            seconds = (now - begun) / (done - counted)  # of an epoch
            speed = self.tokens * steps / seconds
            left = seconds * (self.epochs - done)
            print(f", {speed:,.0f} tokens a second, {left:.0f} s left", end="")
        print(flush=True)

    def on_epoch_end(self, epoch, logs=None):
        steps = self.params["steps"]
        left = self.stop.stopped and self.batch < steps
        self._show(f"left after {self.batch}/{steps}" if left else "done", logs)
        print(flush=True)

    def _show(self, place, logs):
        figures = (f"{name} {value:.4f}" for name, value in logs.items())
        head = f"epoch {self.epoch + 1}/{self.params['epochs']}, {place}"
        print(", ".join([head, *figures]), end="")


class Clock(keras.callbacks.Callback):
    """Measures the duration of batches, then ends training.

    At least ten batches, for at least `seconds`.

    Args:
        seconds: Number.
    """

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


class _UntilStopped(list):
    """Keras's `validation_freq`: every epoch, and none after a signal."""

    def __init__(self, stop):
        super().__init__()
        self.stop = stop

    def __contains__(self, epoch):
        return not self.stop.stopped
