import numpy as np
import pytest

import keras_seq2seq as k2s
from keras_seq2seq.models import EncoderModel
from keras_seq2seq.testing import assert_close
from tests.fixtures import trained_task

pytestmark = pytest.mark.eager

TEXTS = ["keras", "a", "", "attention"]


@pytest.fixture(scope="module")
def task():
    return trained_task("bahdanau_2015")


def test_one_vector_a_text_in_their_order(task):
    found = task.encode(TEXTS)
    model = EncoderModel(task.model)
    for text, vector in zip(TEXTS, found):
        ids = task.source_tokenizer.encode(text) or [0]
        assert_close(model.predict_on_batch(np.array([ids]))[0], vector)
    mean = task.encode(TEXTS, pooling="mean")
    assert mean.shape == found.shape
    assert not np.allclose(mean, found, atol=1e-3)
    assert len(task.encode([])) == 0


def test_errors(task):
    with pytest.raises(TypeError, match="`texts` must be a list of strings"):
        task.encode("keras")
    with pytest.raises(ValueError, match="Received: pooling='last'"):
        task.encode(TEXTS, pooling="last")
    language = k2s.tasks.TextCompletion.from_texts(
        ["ab"], preset="zaremba_2014", units=4, embedding_dim=4
    )
    with pytest.raises(ValueError, match="Received: a language model"):
        language.encode(["ab"])
