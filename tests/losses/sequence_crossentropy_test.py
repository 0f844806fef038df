import keras
import numpy as np
import pytest
from keras import ops

from keras_seq2seq.losses import SequenceCrossentropy
from keras_seq2seq.testing.model_batch import model_batch
from tests.helpers.models import gru_model

RNG = np.random.default_rng(0)
LOGITS = RNG.normal(size=(4, 5, 3))
TARGETS = RNG.integers(3, size=(4, 5))
# The last sentence is a row that fills up a batch.
WEIGHTS = np.array(
    [[1, 1, 1, 1, 1], [1, 2, 0, 0, 0], [1, 0, 0, 0, 0], [0, 0, 0, 0, 0]], float
)


def costs():
    """Negative log-probabilities of the targets, in float64."""
    shifted = LOGITS - LOGITS.max(axis=-1, keepdims=True)
    log_probs = shifted - np.log(np.exp(shifted).sum(-1, keepdims=True))
    return -np.take_along_axis(log_probs, TARGETS[..., None], -1)[..., 0]


def expected_of(reduction, weights):
    sentences = [
        (np.sum(w * c), np.sum(w)) for w, c in zip(weights, costs()) if w.any()
    ]
    total, count = np.sum(sentences, axis=0)
    return {
        "mean_over_tokens": total / count,
        "sum_over_time": total / len(sentences),
        "mean_over_sentences": np.mean([c / w for c, w in sentences]),
    }[reduction]


REDUCTIONS = "mean_over_tokens", "sum_over_time", "mean_over_sentences"


@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_against_numpy(reduction):
    loss = SequenceCrossentropy(reduction)
    for given, weights in (
        (None, np.ones((4, 5))),
        (WEIGHTS, WEIGHTS),
        (WEIGHTS[:, 0], np.repeat(WEIGHTS[:, :1], 5, axis=1)),
    ):
        np.testing.assert_allclose(
            ops.convert_to_numpy(loss(TARGETS, LOGITS, given)),
            expected_of(reduction, weights),
            rtol=1e-5,
        )


@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_the_mask_of_the_logits(reduction):
    logits = ops.convert_to_tensor(LOGITS, "float32")
    logits._keras_mask = ops.convert_to_tensor(WEIGHTS > 0)
    np.testing.assert_allclose(
        ops.convert_to_numpy(SequenceCrossentropy(reduction)(TARGETS, logits)),
        expected_of(reduction, (WEIGHTS > 0).astype(float)),
        rtol=1e-5,
    )


@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_nothing_has_weight(reduction):
    loss = SequenceCrossentropy(reduction)
    assert float(loss(TARGETS, LOGITS, 0 * WEIGHTS)) == 0


def test_is_the_loss_of_a_model():
    model = gru_model(dropout=0.0)
    inputs, targets, weights = model_batch(model)
    values = {}
    for reduction in REDUCTIONS:
        model.compile("sgd", SequenceCrossentropy(reduction))
        values[reduction] = model.test_on_batch(inputs, targets, weights)
    lengths = weights.sum(axis=1)
    per_sentence = values["sum_over_time"] / values["mean_over_tokens"]
    np.testing.assert_allclose(per_sentence, lengths.mean(), rtol=1e-5)
    usual = keras.losses.SparseCategoricalCrossentropy(
        from_logits=True, reduction="mean_with_sample_weight"
    )
    model.compile("sgd", usual)
    np.testing.assert_allclose(
        model.test_on_batch(inputs, targets, weights),
        values["mean_over_tokens"],
        rtol=1e-5,
    )


def test_serialization():
    loss = SequenceCrossentropy("mean_over_sentences", name="own")
    config = keras.saving.serialize_keras_object(loss)
    revived = keras.saving.deserialize_keras_object(config)
    assert revived.get_config() == loss.get_config()
    assert revived.reduction == "mean_over_sentences"


def test_errors():
    with pytest.raises(ValueError, match="`reduction` must be one of.*'sum'"):
        SequenceCrossentropy("sum")
