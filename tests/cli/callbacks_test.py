import signal

import keras
import numpy as np
import pytest

from keras_seq2seq.cli.callbacks import GracefulStop

SIGNALS = signal.SIGINT, signal.SIGTERM


class Interrupt(keras.callbacks.Callback):
    """Raises a signal after a number of batches of a kind; counts all."""

    def __init__(self, number, kind, after):
        super().__init__()
        self.number, self.kind, self.after = number, kind, after
        self.train = self.test = 0
        self.logs = []

    def on_train_batch_end(self, batch, logs=None):
        self._count("train")

    def on_test_batch_end(self, batch, logs=None):
        self._count("test")

    def _count(self, kind):
        setattr(self, kind, getattr(self, kind) + 1)
        if kind == self.kind and getattr(self, kind) == self.after:
            signal.raise_signal(self.number)


def stopped_fit(number, kind, after):
    """`fit` of 3 epochs of 8 batches, 5 of validation, until a signal."""
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    interrupt = Interrupt(number, kind, after)
    data = np.ones((8, 1)), np.ones((8, 1))
    before = [*map(signal.getsignal, SIGNALS)]
    with GracefulStop() as stop:
        model.fit(
            *data,
            batch_size=1,
            epochs=3,
            verbose=0,
            validation_data=(data[0][:5], data[1][:5]),
            validation_freq=stop.validation_freq,
            callbacks=[interrupt, stop, recorder(interrupt.logs)],
        )
    assert stop.stopped
    assert np.isfinite(model.get_weights()[0]).all()
    assert [*map(signal.getsignal, SIGNALS)] == before
    return interrupt


def recorder(names):
    """Callback that adds the names of what it is told after each epoch."""
    return keras.callbacks.LambdaCallback(
        on_epoch_end=lambda epoch, logs: names.append(sorted(logs))
    )


@pytest.mark.parametrize("number", SIGNALS)
def test_ends_after_the_batch_and_validates_no_more(number):
    found = stopped_fit(number, "train", 2)
    assert (found.train, found.test) == (2, 0)
    assert found.logs[-1] == ["loss"]


@pytest.mark.parametrize("number", SIGNALS)
def test_breaks_off_a_validation_and_trains_no_more(number):
    found = stopped_fit(number, "test", 7)
    assert (found.train, found.test) == (16, 7)
    assert found.logs[0] == ["loss", "val_loss"]  # of the first epoch
    assert found.logs[-1] == ["loss"]


@pytest.mark.parametrize("number", SIGNALS)
def test_second_signal_is_at_once(number):
    def ended(number, frame):
        raise KeyboardInterrupt

    before = signal.signal(number, ended)
    try:
        with pytest.raises(KeyboardInterrupt), GracefulStop():
            signal.raise_signal(number)
            signal.raise_signal(number)
    finally:
        signal.signal(number, before)


def test_what_is_ignored_stays_ignored():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with GracefulStop() as stop:
            signal.raise_signal(signal.SIGINT)
        assert not stop.stopped
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
