"""What a search is told through a model: of the call, and of the source."""

import keras
import numpy as np
import pytest

from keras_seq2seq.layers.attention import attention_mechanism
from keras_seq2seq.models import InferenceModel
from keras_seq2seq.search import BeamSearch
from keras_seq2seq.search import Sampling
from keras_seq2seq.search.constraints import LengthRatio
from keras_seq2seq.testing import assert_same_hypotheses
from keras_seq2seq.testing.batches import rows_of
from keras_seq2seq.testing.model_batch import SOURCE_LENGTHS
from keras_seq2seq.testing.model_batch import model_batch
from tests.helpers.models import gru_model
from tests.helpers.models import lstm_model
from tests.helpers.models import shaken


@pytest.fixture(scope="module")
def model():
    return shaken(gru_model())


def source_of(model):
    return model_batch(model)[0]["encoder_token_ids"]


def test_prefix_and_mask_pass_predict(model):
    search = BeamSearch(
        3, max_length=5, n_best=3, constraints=["forced_prefix", "banned_mask"]
    )
    inference = InferenceModel(model, search)
    banned = np.zeros((4, 8), "bool")
    banned[2, 5] = True
    inputs = {
        "encoder_token_ids": source_of(model),
        "prefix": np.array([[4, 0], [0, 0], [3, 3], [7, 2]], "int32"),
        "banned_mask": banned,
    }
    found = inference.predict(inputs, batch_size=2, verbose=0)
    assert (found["token_ids"][0, :, 0] == 4).all()
    assert (found["token_ids"][2, :, :2] == 3).all()
    assert not (found["token_ids"][2] == 5).any()
    assert found["token_ids"][3, 0].tolist() == [7, 2, 0, 0, 0]
    assert found["lengths"][3].tolist() == [2, 0, 0]
    for row in range(4):
        alone = rows_of(inputs, np.array([row]))
        expected = rows_of(found, np.array([row]))
        assert_same_hypotheses(inference.predict_on_batch(alone), expected)


def test_source_lengths(model):
    constraint = LengthRatio(1.0, maximum=1.0)
    search = BeamSearch(2, max_length=9, constraints=[constraint])
    source = np.pad(source_of(model), ((0, 0), (0, 3)))
    found = InferenceModel(model, search).predict_on_batch(source)
    assert found["lengths"][:, 0].tolist() == [
        max(n, 1) for n in SOURCE_LENGTHS
    ]


def test_given_source_lengths_come_first(model):
    constraint = LengthRatio(1.0, maximum=1.0)
    search = BeamSearch(2, max_length=9, constraints=[constraint])
    inputs = {
        "encoder_token_ids": source_of(model),
        "source_lengths": np.array([2, 3, 4, 5], "int32"),
    }
    found = InferenceModel(model, search).predict_on_batch(inputs)
    assert found["lengths"][:, 0].tolist() == [2, 3, 4, 5]


@pytest.mark.parametrize("make", [gru_model, lstm_model])
def test_coverage_is_that_of_the_returned_attention(make):
    model = shaken(make())
    inference = InferenceModel(
        model,
        BeamSearch(4, max_length=5, n_best=4, coverage_penalty="wu"),
        return_attention_scores=True,
        return_log_probs=True,
    )
    found = inference.predict_on_batch(source_of(model))
    attended = found["attention_scores"].astype("float64").sum(2)
    real = np.arange(5) < SOURCE_LENGTHS[:, None, None]
    logs = np.log(np.clip(attended, 1e-6, 1)) * real
    expected = found["total_log_probs"] + 0.2 * logs.sum(-1)
    exists = found["lengths"] > 0
    np.testing.assert_allclose(
        found["scores"][exists], expected[exists], atol=1e-4
    )


def test_samples_do_not_depend_on_the_batch(model):
    inference = InferenceModel(model, Sampling(num_samples=3, max_length=5))
    inputs = {
        "encoder_token_ids": source_of(model),
        "seed": np.array([1, 2, 3, 4], "int32"),
    }
    found = inference.predict_on_batch(inputs)
    order = np.array([2, 0])
    assert_same_hypotheses(
        inference.predict_on_batch(rows_of(inputs, order)),
        rows_of(found, order),
    )


def test_neighbours_and_padding_of_many_rows(model):
    rng = np.random.default_rng(0)
    lengths = rng.integers(0, 9, 64)
    source = rng.integers(3, 9, (64, 8))
    source = np.where(np.arange(8) < lengths[:, None], source, 0)
    source = source.astype("int32")
    search = BeamSearch(4, max_length=6, n_best=4, length_penalty="wu")
    inference = InferenceModel(model, search)
    found = inference.predict_on_batch(source)
    for _ in range(2):
        order = rng.permutation(64)
        again = inference.predict_on_batch(source[order])
        assert_same_hypotheses(again, rows_of(found, order))
    for more in (1, 7, 20):
        wide = np.pad(source, ((0, 0), (0, more)))
        assert_same_hypotheses(inference.predict_on_batch(wide), found)
    for row in range(0, 64, 7):
        rows = np.array([row])
        alone = inference.predict_on_batch(source[rows])
        assert_same_hypotheses(alone, rows_of(found, rows))


def test_values_are_not_copied_for_the_beams(model, monkeypatch):
    """Beside each other on the query axis, whatever their number."""
    shapes, weighted_sum = [], attention_mechanism.weighted_sum

    def spy(weights, value):
        shapes.append((tuple(weights.shape), tuple(value.shape)))
        return weighted_sum(weights, value)

    monkeypatch.setattr(attention_mechanism, "weighted_sum", spy)
    search = BeamSearch(7, max_length=3, coverage_penalty="summary")
    inference = InferenceModel(model, search)
    inference(keras.ops.array(source_of(model)))
    assert {weights[:2] for weights, _ in shapes} == {(4, 7)}
    assert {value[:2] for _, value in shapes} == {(4, 5)}


@pytest.mark.skipif(
    keras.backend.backend() == "torch", reason="it runs each step anew"
)
def test_traces_do_not_grow(model):
    steps = []

    class Counting(BeamSearch):
        def _choose(self, logits, record, problem):
            steps.append(logits.shape)
            return super()._choose(logits, record, problem)

    search = Counting(2, max_length=4, constraints=["forced_prefix"])
    inference = InferenceModel(model, search)

    def decode(token):
        prefix = np.full((4, 4), 0, "int32")
        prefix[:, 0] = token
        source = np.where(source_of(model) > 0, token, 0).astype("int32")
        inputs = {"encoder_token_ids": source, "prefix": prefix}
        return inference.predict_on_batch(inputs)

    decode(3)
    first = len(steps)
    for token in (4, 5, 6):
        decode(token)
    assert first == len(steps)


def test_errors(model):
    search = BeamSearch(3, max_length=4, constraints=["forced_prefix"])
    with pytest.raises(ValueError, match=r"needs the inputs \['prefix'\]"):
        InferenceModel(model, search)(keras.ops.array(source_of(model)))
