"""Models in the plain forms of textbooks, as tasks: saved, searched, served."""

import keras
import numpy as np
import pytest

import keras_seq2seq as k2s
from keras_seq2seq.testing import assert_close
from keras_seq2seq.testing.model_batch import model_batch
from tests.helpers.models import shaken
from tests.helpers.tiny_presets import RECURRENT

PAIRS = [("abc", "A B C"), ("ab", "A B"), ("cab", "C A B")]
TEXTS = ["abc", "", "c", "zz"]  # one bucket

# Some texts are strange on purpose.
pytestmark = pytest.mark.filterwarnings("ignore:At most 10% of the tokens")


def final_state_as_context():
    cell = k2s.layers.ChoCell(keras.layers.GRUCell(4), context="identity")
    encoder = k2s.layers.RecurrentEncoder(keras.layers.LSTM(3), reverse=True)
    return encoder, cell


def context_as_state():
    cell = k2s.layers.LuongCell(
        keras.layers.LSTMCell(6),
        score="dot",
        attention_vector="context",
        input_feeding=False,
        replace_state=True,
        output="both",
    )
    encoder = k2s.layers.RecurrentEncoder(
        keras.layers.GRU(3), bidirectional=True
    )
    return encoder, cell


def output_of_the_state():
    score = k2s.layers.ScaledDotProductScore(
        [5, 3], activation="tanh", use_scale=False
    )
    cell = k2s.layers.BahdanauCell(
        keras.layers.SimpleRNNCell(4), score, context_in_output=False
    )
    return k2s.layers.RecurrentEncoder(keras.layers.GRU(3)), cell


@pytest.fixture(
    scope="module",
    params=[final_state_as_context, context_as_state, output_of_the_state],
)
def task(request, tmp_path_factory):
    """A task, saved and loaded again."""
    tokenizers = k2s.tasks.TextToText.from_corpus(
        PAIRS, "luong_2015_small", target_tokenizer="symbol", **RECURRENT
    )
    encoder, cell = request.param()
    model = k2s.models.Seq2Seq(
        encoder,
        k2s.layers.RecurrentDecoder(cell),
        source_vocabulary_size=len(tokenizers.source_tokenizer.vocabulary),
        target_vocabulary_size=len(tokenizers.target_tokenizer.vocabulary),
        embedding_dim=4,
    )
    task = k2s.tasks.TextToText(
        shaken(model),
        tokenizers.source_tokenizer,
        tokenizers.target_tokenizer,
        k2s.search.BeamSearch(num_beams=3, n_best=2, max_length=3),
    )
    folder = tmp_path_factory.mktemp("tasks") / "task"
    task.save(folder)
    loaded = k2s.tasks.load(folder)
    inputs, _, _ = model_batch(model)
    assert_close(loaded.model(inputs), model(inputs), "the loaded model")
    return loaded


@pytest.fixture(scope="module")
def found(task):
    return task.generate(TEXTS, n_best=2)


def test_score_is_the_score_of_the_search(task, found):
    pairs = [(t, best.text) for t, row in zip(TEXTS, found) for best in row]
    expected = [best.log_probs for row in found for best in row]
    for one, other in zip(task.score(pairs, per_token=True), expected):
        np.testing.assert_allclose(one[: len(other)], other, atol=1e-4)


@pytest.mark.skipif(
    keras.backend.backend() != "tensorflow", reason="one export, one backend"
)
def test_served_equals_python(task, found, tmp_path):
    import tensorflow as tf

    from keras_seq2seq.export import export_saved_model

    path = export_saved_model(task, tmp_path / "model", signatures=[])
    served = tf.saved_model.load(path).signatures["serving_default"](
        tf.constant(TEXTS)
    )
    best = [row[0] for row in found]
    texts = [text.decode() for text in served["text"].numpy()]
    assert texts == [hypothesis.text for hypothesis in best]
    np.testing.assert_allclose(
        served["score"], [hypothesis.score for hypothesis in best], atol=1e-5
    )
