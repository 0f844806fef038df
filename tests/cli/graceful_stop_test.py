import signal

import keras
import numpy as np
import pytest

from keras_seq2seq.cli.graceful_stop import GracefulStop


class Interrupt(keras.callbacks.Callback):
    def __init__(self):
        super().__init__()
        self.batches = 0

    def on_train_batch_end(self, batch, logs=None):
        self.batches += 1
        if batch == 1:
            signal.raise_signal(signal.SIGINT)


def test_ends_after_the_batch():
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    interrupt = Interrupt()
    before = signal.getsignal(signal.SIGINT)
    with GracefulStop() as stop:
        model.fit(
            np.ones((8, 1)),
            np.ones((8, 1)),
            batch_size=1,
            epochs=3,
            verbose=0,
            callbacks=[interrupt, stop],
        )
    assert stop.stopped
    assert interrupt.batches == 2
    assert np.isfinite(model.get_weights()[0]).all()
    assert signal.getsignal(signal.SIGINT) is before


def test_second_interrupt_is_at_once():
    with pytest.raises(KeyboardInterrupt), GracefulStop():
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
