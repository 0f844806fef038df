import keras
import numpy as np
import pytest

from keras_seq2seq.models import ForcedModel
from keras_seq2seq.testing import run_serialization_test
from keras_seq2seq.testing.model_batch import model_batch
from tests.helpers.models import gru_model
from tests.helpers.models import shaken


def test_log_probs():
    model = shaken(gru_model())
    inputs, targets, weights = model_batch(model)
    found = ForcedModel(model).predict_on_batch({**inputs, "targets": targets})
    logits = model.predict_on_batch(inputs).astype("float64")
    log_probs = logits - np.log(np.exp(logits).sum(-1, keepdims=True))
    chosen = np.take_along_axis(log_probs, targets[..., None], -1)[..., 0]
    np.testing.assert_allclose(found["log_probs"], chosen * weights, atol=1e-5)
    scores = found["attention_scores"]
    assert scores.shape == (4, 4, 5)
    real = inputs["encoder_token_ids"] > 0
    assert not (scores * ~real[:, None]).any()


def test_battery():
    run_serialization_test(ForcedModel(gru_model()))


def test_errors():
    with pytest.raises(TypeError, match="`model` must be a `Seq2Seq`.*Dense"):
        ForcedModel(keras.layers.Dense(3))
