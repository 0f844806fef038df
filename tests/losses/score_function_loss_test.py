import itertools

import keras
import numpy as np
import pytest
from keras import ops

from keras_seq2seq import layers
from keras_seq2seq.layers import AttentionMechanism
from keras_seq2seq.losses import ScoreFunctionLoss
from keras_seq2seq.losses import score_function_loss
from keras_seq2seq.models import Seq2Seq
from keras_seq2seq.ops import hard_weights
from keras_seq2seq.testing import run_serialization_test
from keras_seq2seq.testing.model_batch import model_batch
from tests.helpers.gradients import gradient
from tests.helpers.gradients import numerical_gradient
from tests.helpers.models import SIZES
from tests.helpers.models import shaken

RNG = np.random.default_rng(0)
STEPS, PLACES = 2, 3
OUTCOMES = list(itertools.product(range(PLACES), repeat=STEPS))


def softmax(x):
    return np.exp(x) / np.exp(x).sum(-1, keepdims=True)


def probability(energies, places):
    return np.prod([softmax(e)[i] for e, i in zip(energies, places)])


@pytest.mark.parametrize("baseline", [0.0, -2.5])
def test_gradient_of_the_expected_loss(baseline):
    # What each outcome costs, token by token, and all outcomes enumerated.
    energies = RNG.normal(size=(STEPS, PLACES)).astype("float32")
    losses = {x: RNG.uniform(0, 3, STEPS).astype("float32") for x in OUTCOMES}
    expected = numerical_gradient(
        lambda e: sum(
            probability(e, x) * losses[x].sum() / STEPS for x in OUTCOMES
        ),
        energies,
    )

    def mean_over_outcomes(e):
        total = 0.0
        for places in OUTCOMES:
            noise = ops.array(
                100.0 * np.eye(PLACES, dtype="float32")[[*places]]
            )
            loss, _ = score_function_loss(
                ops.expand_dims(hard_weights(e, noise=noise), 0),
                ops.array(losses[places][None]),
                ops.ones((1, STEPS)),
                baseline,
            )
            total += float(probability(energies, places)) * loss
        return total

    actual = gradient(mean_over_outcomes, energies)
    np.testing.assert_allclose(actual, expected, atol=1e-5)


def test_by_hand():
    # Two targets, of two tokens and of one; the last weight is padding.
    token_losses = np.array([[1.0, 2.0], [0.5, 9.0]], "float32")
    weights = np.array([[1.0, 1.0], [1.0, 0.0]], "float32")
    scores = np.array([[[0, 1], [1, 0]], [[0, 1], [0, 1]]], "float32")
    loss, rewards = score_function_loss(
        ops.array(scores), ops.array(token_losses), ops.array(weights), -1.0
    )
    assert float(loss) == 0.0
    np.testing.assert_allclose(ops.convert_to_numpy(rewards), [-3.0, -0.5])
    slope = gradient(
        lambda x: score_function_loss(
            x, ops.array(token_losses), ops.array(weights), -1.0
        )[0],
        scores,
    )
    # -(reward - baseline) over three tokens, and nothing at padding
    expected = np.array([[[2.0, 2.0], [2.0, 2.0]], [[-0.5, -0.5], [0, 0]]]) / 3
    np.testing.assert_allclose(slope, expected, atol=1e-6)


def test_battery():
    run_serialization_test(ScoreFunctionLoss(decay=0.5, weight=2.0))


def test_moving_baseline():
    loss = ScoreFunctionLoss(decay=0.75)
    batch = np.ones((2, 2, 3)), np.array([[1.0, 2], [3, 4]]), np.ones((2, 2))
    for expected in (-1.25, -2.1875):  # 3/4 of the old, 1/4 of -(3 + 7) / 2
        loss(*batch, training=True)
        assert float(ops.convert_to_numpy(loss.baseline)) == expected
    loss(*batch)
    assert float(ops.convert_to_numpy(loss.baseline)) == -2.1875


def hard_model(**options):
    cell = layers.LuongCell(
        keras.layers.GRUCell(4), AttentionMechanism("additive", "hard")
    )
    model = Seq2Seq(
        layers.RecurrentEncoder(keras.layers.GRUCell(4)),
        layers.RecurrentDecoder(cell),
        attention_loss="score_function",
        **SIZES,
    )
    model.compile(
        "adam",
        keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        weighted_metrics=["accuracy"],
        **options,
    )
    return shaken(model)


def baseline_of(model):
    return float(ops.convert_to_numpy(model.attention_loss.baseline))


def test_in_fit(tmp_path):
    model = hard_model()
    inputs, targets, weights = model_batch(model)
    batch = {"x": inputs, "y": targets, "sample_weight": weights}
    score, baseline = model.decoder.cell.attention.score, baseline_of(model)
    logs = model.evaluate(**batch, verbose=0, return_dict=True)
    logits = model.predict_on_batch(inputs)["logits"].astype("float64")
    log_probs = np.log(
        np.take_along_axis(softmax(logits), targets[..., None], -1)[..., 0]
    )
    right = (logits.argmax(-1) == targets) * weights
    assert logs == pytest.approx(
        {
            "loss": -np.sum(log_probs * weights) / np.sum(weights),
            "accuracy": np.sum(right) / np.sum(weights),
        },
        rel=1e-5,
    )
    assert baseline_of(model) == baseline
    before = score.get_weights()
    history = model.fit(**batch, batch_size=4, epochs=2, verbose=0).history
    assert np.isfinite(history["loss"]).all()
    assert baseline_of(model) < baseline
    for old, new in zip(before, score.get_weights()):
        assert np.isfinite(new).all() and not np.array_equal(old, new)

    model.save(tmp_path / "model.keras")
    loaded = keras.saving.load_model(tmp_path / "model.keras")
    assert baseline_of(loaded) == baseline_of(model)
    again = loaded.evaluate(**batch, verbose=0, return_dict=True)
    assert again == pytest.approx(
        model.evaluate(**batch, verbose=0, return_dict=True), rel=1e-5
    )


@pytest.mark.eager
def test_targets_as_distributions():
    """One-hot targets, for a loss that wants them, move it as ids do."""
    found = []
    for as_ids in (True, False):
        keras.utils.set_random_seed(0)
        model = hard_model()
        inputs, targets, weights = model_batch(model)
        if not as_ids:
            size = model.target.vocabulary_size
            targets = np.eye(size, dtype="float32")[targets]
            model.compile(
                "adam", keras.losses.CategoricalCrossentropy(from_logits=True)
            )
        logs = model.train_on_batch(inputs, targets, weights, return_dict=True)
        found.append((logs["loss"], baseline_of(model)))
    assert found[0][1] < 0
    np.testing.assert_allclose(found[1], found[0], rtol=1e-5)


def test_half_precision(half_precision):
    model = hard_model(run_eagerly=True)
    inputs, targets, weights = model_batch(model)
    model.train_on_batch(inputs, targets, weights)
    assert all(np.isfinite(w).all() for w in model.get_weights())


@pytest.mark.parametrize(
    "kwargs, message",
    [
        ({"decay": 1.0}, "`decay`.*decay=1.0"),
        ({"weight": 0}, "`weight`.*above 0.*weight=0"),
    ],
)
def test_errors(kwargs, message):
    with pytest.raises(ValueError, match=message):
        ScoreFunctionLoss(**kwargs)
    known = "`attention_loss` must be one of .*'score_function'.*'reinforce'"
    with pytest.raises(ValueError, match=known):
        Seq2Seq(
            layers.RecurrentEncoder(keras.layers.GRUCell(4)),
            layers.RecurrentDecoder(layers.LuongCell(keras.layers.GRUCell(4))),
            attention_loss="reinforce",
            **SIZES,
        )
