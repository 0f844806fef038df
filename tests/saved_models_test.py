"""The model under version control: the task, and what was exported of it."""

import json
import pathlib

import keras
import numpy as np
import pytest

import keras_seq2seq as k2s

FOLDER = pathlib.Path(__file__).parents[1] / "saved_models"
TASK = FOLDER / "g2p-task"
EXPORT = FOLDER / "g2p" / "1"
MOST_BYTES = 16 * 2**20


@pytest.fixture(scope="module")
def task():
    return k2s.tasks.TextToText.from_preset(TASK)


def test_words_it_has_not_seen(task):
    words = k2s.data.cmudict().test[::40]
    found = task.evaluate(words, verbose=False)
    assert found["wer"] < 0.32 and found["per"] < 0.08


def test_it_can_be_trained_on():
    fresh = k2s.tasks.TextToText.from_preset(TASK)
    pairs = [("keras", "K EH R AH S")] * 8
    (before,) = fresh.score(pairs[:1])
    fresh.compile(keras.optimizers.Adam(1e-3))
    fresh.fit(pairs, epochs=5, batch_size=8, verbose=0)
    assert fresh.score(pairs[:1])[0] > before


def test_size():
    for folder in (TASK, EXPORT):
        files = [path for path in folder.rglob("*") if path.is_file()]
        assert sum(path.stat().st_size for path in files) < MOST_BYTES


def test_what_it_says_of_itself():
    text = (EXPORT / "assets.extra" / "keras_seq2seq.json").read_text()
    description = json.loads(text)
    assert description["preset"] == "bahdanau_2015_small"
    assert description["weights"]["source"] == "saved_models/g2p-task"


@pytest.mark.skipif(
    keras.backend.backend() != "tensorflow", reason="TensorFlow alone serves"
)
def test_the_export_answers_as_the_task(task):
    import tensorflow as tf

    words = k2s.data.cmudict().test.sources[:64]
    served = tf.saved_model.load(EXPORT).signatures["serving_default"](
        tf.constant(words)
    )
    found = [best for (best,) in task.generate(words, n_best=1)]
    texts = [text.decode() for text in served["text"].numpy()]
    assert texts == [best.text for best in found]
    scores = [best.score for best in found]
    np.testing.assert_allclose(served["score"], scores, atol=1e-5)
