import time

import keras

SECONDS = 10


class ProgressLines(keras.callbacks.Callback):
    """Callback that prints a line now and then, where no bar can be drawn.

    Args:
        stop: `GracefulStop`, which knows whether a signal ended the training.
    """

    def __init__(self, stop):
        super().__init__()
        self.stop = stop

    def on_train_begin(self, logs=None):
        self.shown = time.monotonic()
        self.epoch = 0
        self.first = None

    def on_epoch_begin(self, epoch, logs=None):
        self.epoch, self.batch = epoch, 0

    def on_train_batch_end(self, batch, logs=None):
        now = time.monotonic()
        steps, epochs = self.params["steps"], self.params["epochs"]
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
            left = (now - begun) * (epochs - done) / (done - counted)
            print(f", {left:.0f} s left", end="")
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
