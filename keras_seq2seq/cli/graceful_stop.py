import signal

import keras


class GracefulStop(keras.callbacks.Callback):
    """Callback that ends training after the batch in which Ctrl-C came.

    The model is then whole, under every backend. A second Ctrl-C interrupts
    at once. In use as a context manager around `fit`; only the main thread
    hears Ctrl-C.
    """

    def __init__(self):
        super().__init__()
        self.stopped = False

    def __enter__(self):
        self._previous = signal.signal(signal.SIGINT, self._stop)
        return self

    def __exit__(self, *error):
        signal.signal(signal.SIGINT, self._previous)

    def _stop(self, signum, frame):
        self.stopped = True
        print("\nStopping after this batch; Ctrl-C again stops at once.")
        signal.signal(signal.SIGINT, signal.default_int_handler)

    def on_train_batch_end(self, batch, logs=None):
        if self.stopped:
            self.model.stop_training = True
