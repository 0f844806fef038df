import keras
import numpy as np
import pytest

from keras_seq2seq.models import InferenceModel
from keras_seq2seq.models import ScoringModel
from keras_seq2seq.search import BeamSearch
from keras_seq2seq.testing import assert_same_hypotheses
from keras_seq2seq.testing import run_serialization_test
from keras_seq2seq.testing.model_batch import model_batch
from tests.helpers.models import SIZES
from tests.helpers.models import gru_model
from tests.helpers.models import lstm_model
from tests.helpers.models import shaken

pytestmark = pytest.mark.eager

SEARCH = BeamSearch(3, max_length=4, n_best=3)


@pytest.fixture(scope="module")
def models():
    return [shaken(gru_model()), shaken(lstm_model(), seed=1)]


def probabilities(model, inputs):
    logits = model.predict_on_batch(inputs).astype("float64")
    p = np.exp(logits - logits.max(-1, keepdims=True))
    return p / p.sum(-1, keepdims=True)


@pytest.mark.parametrize("average", ["probability", "log_probability"])
def test_log_probs(models, average):
    inputs, targets, weights = model_batch(models[0])
    p = np.stack([probabilities(model, inputs) for model in models])
    if average == "probability":
        p = p.mean(0)
    else:
        p = np.exp(np.log(p).mean(0))
        p = p / p.sum(-1, keepdims=True)
    chosen = np.take_along_axis(np.log(p), targets[..., None], -1)[..., 0]
    forced = ScoringModel(models, average=average)
    found = forced.predict_on_batch({**inputs, "targets": targets})
    np.testing.assert_allclose(found["log_probs"], chosen * weights, atol=1e-5)


@pytest.mark.parametrize("average", ["probability", "log_probability"])
def test_the_search_agrees_with_the_forced_pass(models, average):
    settings = {"average": average}
    inference = InferenceModel(
        models,
        SEARCH,
        return_attention_scores=True,
        return_log_probs=True,
        **settings,
    )
    source = model_batch(models[0])[0]["encoder_token_ids"]
    found = inference.predict_on_batch(source)
    np.testing.assert_allclose(
        found["scores"], found["total_log_probs"], atol=1e-5
    )
    forced = ScoringModel(models, **settings)
    for n in range(3):
        targets = found["token_ids"][:, n]
        shifted = np.hstack([np.ones((4, 1), "int32"), targets[:, :-1]])
        passed = forced.predict_on_batch(
            {
                "encoder_token_ids": source,
                "decoder_token_ids": shifted,
                "targets": targets,
            }
        )
        np.testing.assert_allclose(
            found["log_probs"][:, n], passed["log_probs"], atol=1e-5
        )
        real = np.arange(4) < found["lengths"][:, n, None]
        np.testing.assert_allclose(
            found["attention_scores"][:, n],
            passed["attention_scores"] * real[..., None],
            atol=1e-5,
        )


def test_twice_the_same_model(models):
    source = model_batch(models[0])[0]["encoder_token_ids"]
    once = InferenceModel(models[0], SEARCH).predict_on_batch(source)
    for average in ("probability", "log_probability"):
        twice = InferenceModel([models[0]] * 2, SEARCH, average=average)
        assert_same_hypotheses(twice.predict_on_batch(source), once)


def test_batteries(models):
    run_serialization_test(InferenceModel(models, SEARCH))
    run_serialization_test(ScoringModel(models))


def test_file(models, tmp_path):
    inference = InferenceModel(models, SEARCH, average="log_probability")
    source = model_batch(models[0])[0]["encoder_token_ids"]
    expected = inference.predict_on_batch(source)
    inference.save(tmp_path / "ensemble.keras")
    loaded = keras.saving.load_model(tmp_path / "ensemble.keras")
    assert len(loaded.models) == 2
    assert_same_hypotheses(loaded.predict_on_batch(source), expected)


def test_errors(models, monkeypatch):
    with pytest.raises(ValueError, match="`model`.*at least one"):
        InferenceModel([])
    with pytest.raises(TypeError, match="`model` must be a `Seq2Seq`"):
        InferenceModel([models[0], keras.layers.Dense(2)])
    with pytest.raises(ValueError, match="`average` must.*average='mean'"):
        InferenceModel(models, average="mean")
    monkeypatch.setitem(SIZES, "target_vocabulary_size", 9)
    with pytest.raises(ValueError, match="same target vocabulary.*8.*9"):
        InferenceModel([models[0], gru_model()])
