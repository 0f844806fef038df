"""Every normalizer in a model: it trains, and then a step is a step."""

import keras
import numpy as np
import pytest

from keras_seq2seq import layers
from keras_seq2seq.layers import AttentionMechanism
from keras_seq2seq.models import Seq2Seq
from keras_seq2seq.models.training_model import logits_of
from keras_seq2seq.testing.laws import step_equals_sequence
from keras_seq2seq.testing.model_batch import model_batch
from tests.helpers.models import SIZES
from tests.helpers.models import shaken

NORMALIZERS = {
    "sparsemax": layers.SparsemaxNormalizer,
    "parallel": lambda: layers.MonotonicNormalizer(
        "parallel", inference_mode="hard", noise=1.0, bias=-1.0
    ),
    "recursive": lambda: layers.MonotonicNormalizer("recursive", noise=1.0),
    "hard": layers.HardNormalizer,
}
CELLS = {
    "bahdanau": layers.BahdanauCell,
    "luong": lambda *args: layers.LuongCell(*args, input_feeding=False),
}


def model_of(cell, normalizer):
    is_drawn = normalizer == "hard"
    attention = AttentionMechanism("additive", NORMALIZERS[normalizer]())
    cell = CELLS[cell](keras.layers.GRUCell(4), attention)
    return Seq2Seq(
        layers.RecurrentEncoder(keras.layers.GRUCell(4)),
        layers.RecurrentDecoder(cell),
        attention_loss="score_function" if is_drawn else None,
        **SIZES,
    )


@pytest.mark.parametrize(
    "cell, normalizer",
    [
        ("bahdanau", "sparsemax"),
        ("bahdanau", "parallel"),
        ("bahdanau", "recursive"),
        ("bahdanau", "hard"),
        ("luong", "hard"),  # without a loop
    ],
)
def test_trains_and_steps(cell, normalizer):
    model = shaken(model_of(cell, normalizer))
    model.compile(
        "adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    )
    inputs, targets, weights = model_batch(model)
    before = model.get_weights()
    history = model.fit(
        inputs, targets, batch_size=4, sample_weight=weights, verbose=0
    )
    assert np.isfinite(history.history["loss"]).all()
    for old, new in zip(before, model.get_weights()):
        assert np.isfinite(new).all() and not np.array_equal(old, new)
    outputs = model.predict_on_batch(inputs)
    step_equals_sequence(model, inputs, logits_of(outputs))
