"""What holds of every task: it is saved, scored and served as it is."""

import numpy as np

import keras_seq2seq as k2s
from keras_seq2seq.testing import assert_close
from keras_seq2seq.testing.model_batch import model_batch


def saved_and_loaded(task, tmp_path_factory):
    """The task out of a folder, after a look at its logits."""
    folder = tmp_path_factory.mktemp("tasks") / "task"
    task.save(folder)
    loaded = k2s.tasks.load(folder)
    inputs, _, _ = model_batch(task.model)
    assert_close(loaded.model(inputs), task.model(inputs), "the loaded model")
    return loaded


def check_scores(task, texts, found):
    """The score of an answer is what the search says of it."""
    pairs = [(t, best.text) for t, row in zip(texts, found) for best in row]
    expected = [best.log_probs for row in found for best in row]
    for one, other in zip(task.score(pairs, per_token=True), expected):
        # A cut one has no end token.
        np.testing.assert_allclose(one[: len(other)], other, atol=1e-4)


def check_served(task, texts, found, folder):
    """The exported graph gives the best answers, and their scores."""
    import tensorflow as tf

    from keras_seq2seq.export import export_saved_model

    path = export_saved_model(task, folder, signatures=[])
    served = tf.saved_model.load(path).signatures["serving_default"](
        tf.constant(texts)
    )
    best = [row[0] for row in found]
    answers = [text.decode() for text in served["text"].numpy()]
    assert answers == [hypothesis.text for hypothesis in best]
    np.testing.assert_allclose(
        served["score"], [hypothesis.score for hypothesis in best], atol=1e-5
    )
