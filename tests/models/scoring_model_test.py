import keras
import numpy as np
import pytest

import keras_seq2seq as k2s
from keras_seq2seq.layers import RecurrentPrefixDecoder
from keras_seq2seq.models import LanguageModel
from keras_seq2seq.models import ScoringModel
from keras_seq2seq.testing import run_serialization_test
from keras_seq2seq.testing.model_batch import model_batch
from tests.helpers.models import gru_model
from tests.helpers.models import lstm_model
from tests.helpers.models import shaken
from tests.helpers.numpy_cells import lstm


def test_files_of_its_first_name():
    config = keras.saving.serialize_keras_object(ScoringModel(gru_model()))
    config["class_name"] = "ForcedModel"
    config["registered_name"] = "keras_seq2seq>ForcedModel"
    config["module"] = "keras_seq2seq.models.forced_model"
    loaded = keras.saving.deserialize_keras_object(config)
    assert type(loaded) is ScoringModel is k2s.models.ForcedModel


def test_log_probs():
    model = shaken(gru_model())
    inputs, targets, weights = model_batch(model)
    found = ScoringModel(model).predict_on_batch({**inputs, "targets": targets})
    logits = model.predict_on_batch(inputs).astype("float64")
    log_probs = logits - np.log(np.exp(logits).sum(-1, keepdims=True))
    chosen = np.take_along_axis(log_probs, targets[..., None], -1)[..., 0]
    np.testing.assert_allclose(found["log_probs"], chosen * weights, atol=1e-5)
    scores = found["attention_scores"]
    assert scores.shape == (4, 4, 5)
    real = inputs["encoder_token_ids"] > 0
    assert not (scores * ~real[:, None]).any()


def test_states_of_a_language_model_against_numpy():
    """Start token, `beginning`, `rest`: one LSTM reads them all."""
    decoder = RecurrentPrefixDecoder(keras.layers.LSTMCell(4))
    model = LanguageModel(decoder, vocabulary_size=8, embedding_dim=3)
    shaken(model)
    beginning, rest = [4, 6], [5, 7, 2]
    forced = ScoringModel(model, return_states=True)
    found = forced.predict_on_batch(
        {
            "encoder_token_ids": np.array([[*beginning, 0]]),
            "decoder_token_ids": np.array([[1, *rest[:-1], 0]]),
            "targets": np.array([[*rest, 0]]),
        }
    )
    hidden, carry = found["states"]
    assert hidden.shape == carry.shape == (1, 4, 4)
    assert not hidden[:, 3].any() and not carry[:, 3].any()  # padding
    (table,) = model.target_embedding.get_weights()
    h = c = np.zeros((1, 4))
    weights = [w.astype("float64") for w in decoder.cell.get_weights()]
    for place, token in enumerate([1, *beginning, *rest[:-1]]):
        h, c = lstm(table[[token]].astype("float64"), h, c, *weights)
        if place >= len(beginning):
            t = place - len(beginning)
            np.testing.assert_allclose(hidden[:, t], h, atol=1e-5)
            np.testing.assert_allclose(carry[:, t], c, atol=1e-5)


def test_states_change_nothing_else():
    model = shaken(lstm_model())
    inputs, targets, _ = model_batch(model)
    inputs = {**inputs, "targets": targets}
    plain = ScoringModel(model).predict_on_batch(inputs)
    found = ScoringModel(model, return_states=True).predict_on_batch(inputs)
    states = found.pop("states")
    shapes = [[x.shape for x in layer] for layer in states]
    assert shapes == [[(4, 4, 4)] * 2] * 2  # [h, c], layer by layer
    for name, value in plain.items():
        np.testing.assert_allclose(found[name], value, atol=1e-6)


def test_battery():
    run_serialization_test(ScoringModel(gru_model()))
    forced = ScoringModel(gru_model(), return_states=True)
    assert run_serialization_test(forced).return_states


def test_errors():
    with pytest.raises(TypeError, match="`model` must be a `Seq2Seq`.*Dense"):
        ScoringModel(keras.layers.Dense(3))
    with pytest.raises(ValueError, match="`return_states`.*[False].*True"):
        ScoringModel([gru_model(), gru_model()], return_states=True)
