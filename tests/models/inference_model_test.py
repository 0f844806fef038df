import keras
import numpy as np
import pytest

import keras_seq2seq as k2s
from keras_seq2seq.layers import AdditiveScore
from keras_seq2seq.models import InferenceModel
from keras_seq2seq.search import BeamSearch
from keras_seq2seq.search import GreedySearch
from keras_seq2seq.testing import assert_same_hypotheses
from keras_seq2seq.testing import run_serialization_test
from keras_seq2seq.testing.checks import to_numpy
from keras_seq2seq.testing.model_batch import model_batch
from tests.helpers.models import gru_model
from tests.helpers.models import lstm_model
from tests.helpers.models import shaken


def sources(model):
    return model_batch(model)[0]["encoder_token_ids"]


def test_scores_are_log_probabilities():
    # Width 8 * 8 holds every prefix: the best two of all 1 + 5 * 6 there are.
    model = shaken(gru_model())
    search = BeamSearch(64, max_length=2, n_best=2)
    inference = InferenceModel(model, search)
    source = sources(model)
    found = inference.predict_on_batch(source)
    symbols = range(3, 8)
    every = [(2, 0), *((a, b) for a in symbols for b in (2, *symbols))]
    totals = np.zeros((4, len(every)))
    for n, tokens in enumerate(every):
        shifted = np.array([[1, tokens[0]]] * 4, "int32")
        inputs = {"encoder_token_ids": source, "decoder_token_ids": shifted}
        logits = model.predict_on_batch(inputs).astype("float64")
        log_probs = logits - np.log(np.exp(logits).sum(-1, keepdims=True))
        length = 1 if tokens[0] == 2 else 2
        totals[:, n] = sum(log_probs[:, t, tokens[t]] for t in range(length))
    best = np.argsort(-totals, axis=1)[:, :2]
    np.testing.assert_allclose(
        found["scores"], np.take_along_axis(totals, best, 1), rtol=1e-5
    )
    np.testing.assert_array_equal(found["token_ids"], np.array(every)[best])


@pytest.mark.parametrize("make", [gru_model, lstm_model])
def test_memory_is_not_copied_for_the_beams(make, monkeypatch):
    shapes, projections = [], []
    energies, project = AdditiveScore.energies, AdditiveScore.project_keys

    def spy_energies(self, query, keys):
        shapes.append((tuple(query.shape), tuple(keys.shape)))
        return energies(self, query, keys)

    def spy_keys(self, value):
        projections.append(tuple(value.shape))
        return project(self, value)

    model = shaken(make())
    monkeypatch.setattr(AdditiveScore, "energies", spy_energies)
    monkeypatch.setattr(AdditiveScore, "project_keys", spy_keys)
    inference = InferenceModel(model, BeamSearch(3, max_length=4))
    inference(keras.ops.array(sources(model)))  # a batch of 4, 5 places
    assert shapes
    for query, keys in shapes:
        assert query[:2] == (4, 3)
        assert keys[:2] == (4, 5)
    assert [shape[:2] for shape in projections] == [(4, 5)]


def test_attention_scores_belong_to_the_tokens():
    model = shaken(lstm_model())
    inference = InferenceModel(
        model,
        BeamSearch(3, max_length=4, n_best=2),
        return_attention_scores=True,
    )
    source = sources(model)
    found = inference.predict_on_batch(source)
    assert found["attention_scores"].shape == (4, 2, 4, 5)
    for n in range(2):
        token_ids = found["token_ids"][:, n]
        start = np.ones((4, 1), "int32")
        shifted = np.hstack([start, token_ids[:, :-1]])
        inputs = {"encoder_token_ids": source, "decoder_token_ids": shifted}
        inputs = keras.tree.map_structure(keras.ops.array, inputs)
        memory, states = model.initialize(inputs)
        _, scores = model.decode_sequence(
            inputs["decoder_token_ids"], states, memory
        )
        real = np.arange(4) < found["lengths"][:, n, None]
        expected = to_numpy(scores) * real[..., None]
        np.testing.assert_allclose(
            found["attention_scores"][:, n], expected, atol=1e-5
        )


def test_takes_a_dict_and_predicts_in_batches():
    model = shaken(gru_model(use_padding_mask=True))
    inputs, _, _ = model_batch(model)
    inputs = {name: x for name, x in inputs.items() if "encoder" in name}
    inference = InferenceModel(model, "greedy")
    inference.search = GreedySearch(5)
    at_once = inference.predict_on_batch(inputs)
    in_batches = inference.predict(inputs, batch_size=3, verbose=0)
    assert_same_hypotheses(in_batches, at_once)


def test_half_precision(half_precision):
    model = shaken(gru_model())
    assert model.decoder.compute_dtype == half_precision.removeprefix("mixed_")
    search = BeamSearch(3, max_length=5, n_best=3)
    found = InferenceModel(
        model, search, return_attention_scores=True
    ).predict_on_batch(sources(model))
    for name in ("scores", "attention_scores"):
        assert np.all(np.isfinite(to_numpy(found[name])))
    assert np.all(found["lengths"] > 0)


def test_file(tmp_path):
    model = shaken(gru_model())
    search = BeamSearch(2, max_length=4, length_penalty="wu")
    inference = InferenceModel(model, search, return_attention_scores=True)
    expected = inference(sources(model))
    inference.save(tmp_path / "inference.keras")
    loaded = keras.saving.load_model(tmp_path / "inference.keras")
    assert loaded.search.get_config() == search.get_config()
    assert_same_hypotheses(loaded(sources(model)), expected)


def test_battery():
    run_serialization_test(InferenceModel(gru_model(), BeamSearch(3)))


def test_errors():
    model = gru_model()
    with pytest.raises(ValueError, match="`search`.*Received: search='best'"):
        InferenceModel(model, "best")
    with pytest.raises(TypeError, match="`model` must be a `Seq2Seq`.*Dense"):
        InferenceModel(keras.layers.Dense(3))
    for name in ("start_token_id", "end_token_id"):
        with pytest.raises(ValueError, match=f"`{name}`.*{name}=8"):
            InferenceModel(model, **{name: 8})


@pytest.mark.parametrize(
    ("inputs", "received"),
    [
        (np.ones(3, "int32"), r"shape \(3, ?1?\)|shape \(3,\)"),
        (np.ones((2, 3, 1), "int32"), r"shape \(2, 3, 1\)"),
        ({"source": np.ones((2, 3), "int32")}, r"`encoder_token_ids`.*source"),
    ],
)
def test_sources_of_another_shape(inputs, received):
    inference = InferenceModel(gru_model(), "greedy")
    with pytest.raises(ValueError, match=received):
        inference(inputs)


def test_names_of_searches():
    for name, kind in (("beam", BeamSearch), ("greedy", GreedySearch)):
        assert type(k2s.models.InferenceModel(gru_model(), name).search) is kind


class OwnPrefix(k2s.search.constraints.Constraint):
    """Asks for an input that nothing but its own users knows."""

    input_names = ("mine",)

    def __call__(self, log_probs, state, context):
        return log_probs


@pytest.mark.skipif(
    keras.backend.backend() != "tensorflow", reason="a SavedModel"
)
def test_exports_a_saved_model(tmp_path):
    import tensorflow as tf

    model = shaken(gru_model(use_padding_mask=True))
    search = BeamSearch(2, max_length=3, constraints=["forced_prefix"])
    inputs, targets, _ = model_batch(model)
    inputs["prefix"] = np.array([[4], [5], [0], [4]], "int32")
    decoder_token_ids = inputs.pop("decoder_token_ids")
    inference = InferenceModel(model, search)
    expected = inference.predict(inputs, verbose=0)
    inference.export(tmp_path / "search", verbose=False)
    loaded = tf.saved_model.load(tmp_path / "search")
    assert_same_hypotheses(dict(loaded.serve(inputs)), expected)
    first = {name: x[:1] for name, x in inputs.items()}
    np.testing.assert_allclose(
        loaded.serve(first)["scores"], expected["scores"][:1], rtol=1e-5
    )
    del inputs["prefix"]
    given = {**inputs, "decoder_token_ids": decoder_token_ids}
    given["targets"] = targets
    forced = k2s.models.ScoringModel(model)
    forced.export(tmp_path / "forced", verbose=False)
    loaded = tf.saved_model.load(tmp_path / "forced")
    np.testing.assert_allclose(
        loaded.serve(given)["log_probs"],
        forced.predict_on_batch(given)["log_probs"],
        atol=1e-5,
    )


@pytest.mark.skipif(
    keras.backend.backend() == "tensorflow", reason="a SavedModel"
)
def test_export_says_which_backend_it_needs(tmp_path):
    with pytest.raises(RuntimeError, match="TensorFlow backend. Received"):
        InferenceModel(gru_model()).export(tmp_path / "search")


def test_the_inputs_of_an_exported_search_are_known():
    inference = InferenceModel(gru_model(), BeamSearch(2, max_length=3))
    assert list(inference.input_specs()) == ["encoder_token_ids"]
    inference.search = BeamSearch(2, max_length=3, constraints=[OwnPrefix()])
    with pytest.raises(ValueError, match=r"needs \['mine'\]. Pass `input_sig"):
        inference.input_specs()
