import signal

import numpy as np
import pytest

from keras_seq2seq.cli import training
from keras_seq2seq.data import ParallelCorpus
from keras_seq2seq.tasks import TextToText

CORPUS = ParallelCorpus.from_pairs(
    [(a + b, b + a) for a in "abcde" for b in "fghij"]
)


@pytest.fixture(scope="module")
def task():
    return TextToText.from_corpus(
        CORPUS, "luong_2015", units=4, embedding_dim=4
    )


def test_rate_falls_to_zero_over_all_steps():
    optimizer = training.make_optimizer(0.5, batches=3, epochs=2)
    schedule = optimizer.get_config()["learning_rate"]["config"]
    assert schedule["decay_steps"] == 6
    assert schedule["initial_learning_rate"] == 0.5


def test_fit_for_a_fraction_of_an_epoch(task, capsys):
    dataset = task.batches(CORPUS, batch_size=5)  # five of them
    task.compile(
        training.make_optimizer(0.01, batches=len(dataset), epochs=1.4)
    )
    before = task.model.get_weights()
    assert not training.fit(task, dataset, epochs=1.4)
    assert int(task.model.optimizer.iterations) == 7
    assert "epoch 2/2, done" in capsys.readouterr().out
    assert not np.allclose(before[0], task.model.get_weights()[0])


def test_a_signal_lets_what_was_trained_be_kept(task):
    kept = []

    def keep():
        signal.raise_signal(signal.SIGTERM)
        kept.append(True)

    task.compile()
    dataset = task.batches(CORPUS, batch_size=25)
    assert training.fit(task, dataset, epochs=1, keep=keep)
    assert kept


def test_speed_leaves_the_weights(task):
    before = task.model.get_weights()
    dataset = task.batches(CORPUS, batch_size=5)
    speed = training.measure_speed(task, dataset, seconds=0.1)
    assert speed > 0
    for old, new in zip(before, task.model.get_weights()):
        np.testing.assert_array_equal(old, new)
