import keras
import numpy as np
import pytest
from keras import ops

from keras_seq2seq.metrics import Perplexity
from keras_seq2seq.metrics import perplexity
from keras_seq2seq.testing.model_batch import model_batch
from tests.helpers.models import gru_model

RNG = np.random.default_rng(0)


def costs(targets, logits):
    log_probs = logits - np.log(np.exp(logits).sum(-1, keepdims=True))
    return -np.take_along_axis(log_probs, targets[..., None], -1)[..., 0]


def test_against_numpy_over_batches_of_several_lengths():
    metric, total, count = Perplexity(), 0.0, 0.0
    for length in (2, 9):
        targets = RNG.integers(3, size=(4, length))
        logits = RNG.normal(size=(4, length, 3))
        weights = RNG.integers(2, size=(4, length)).astype(float)
        metric.update_state(targets, logits, sample_weight=weights)
        total += np.sum(weights * costs(targets, logits))
        count += np.sum(weights)
    np.testing.assert_allclose(
        ops.convert_to_numpy(metric.result()), np.exp(total / count), rtol=1e-5
    )
    metric.reset_state()
    assert float(metric.result()) == 1


def test_the_mask_of_the_logits():
    logits, targets = RNG.normal(size=(2, 3, 4)), RNG.integers(4, size=(2, 3))
    mask = np.array([[1, 1, 0], [1, 0, 0]], bool)
    masked = ops.convert_to_tensor(logits, "float32")
    masked._keras_mask = ops.convert_to_tensor(mask)
    np.testing.assert_allclose(
        ops.convert_to_numpy(Perplexity()(targets, masked)),
        np.exp(costs(targets, logits)[mask].mean()),
        rtol=1e-5,
    )


def test_beyond_all_floats():
    logits = np.array([[[0.0, 1000.0]]])
    assert float(Perplexity()(np.zeros((1, 1)), logits)) == np.inf


def test_in_a_model():
    model = gru_model(dropout=0.0)
    inputs, targets, weights = model_batch(model)
    loss = keras.losses.SparseCategoricalCrossentropy(
        from_logits=True, reduction="mean_with_sample_weight"
    )
    model.compile("sgd", loss, weighted_metrics=[Perplexity()])
    found = model.test_on_batch(inputs, targets, weights, return_dict=True)
    np.testing.assert_allclose(
        found["perplexity"], np.exp(found["loss"]), rtol=1e-4
    )


def test_serialization():
    config = keras.saving.serialize_keras_object(Perplexity(name="own"))
    revived = keras.saving.deserialize_keras_object(config)
    assert isinstance(revived, Perplexity)
    assert revived.name == "own"


def test_of_a_corpus_by_hand():
    # 1/2, 1/8 and 1/2 of one source, 1/8 and 1/8 of another: 2^(11/5)
    groups = [[np.log([0.5, 0.125]), np.log([0.5])], [np.log([0.125, 0.125])]]
    assert perplexity(groups) == pytest.approx(2 ** (11 / 5))
    assert perplexity([[[0.0]]]) == 1
    with pytest.raises(ValueError, match=r"len\(log_probs\)=1, without a"):
        perplexity([[]])
