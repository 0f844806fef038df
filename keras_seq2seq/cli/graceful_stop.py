import contextlib
import os
import signal

import keras

SIGNALS = signal.SIGINT, signal.SIGTERM
NOTICE = b"\nStopping after this batch; once more stops at once.\n"


class GracefulStop(keras.callbacks.Callback):
    """Callback that ends training after the batch in which a signal came.

    Ctrl-C and SIGTERM are the same here. The model is then whole, under every
    backend. A second signal does at once what it does elsewhere. In use as a
    context manager around `fit` and what keeps its result; only the main
    thread hears signals. One that the process was told to ignore stays so.

    A pass of validation that is broken off leaves no figures. With
    `validation_freq=stop.validation_freq`, none begins after the signal.
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


class _UntilStopped(list):
    """Epochs to validate after, as Keras asks: each one, or no more."""

    def __init__(self, stop):
        super().__init__()
        self.stop = stop

    def __contains__(self, epoch):
        return not self.stop.stopped
