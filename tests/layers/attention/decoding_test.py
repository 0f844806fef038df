"""Attention with a state, and with heads, in a decoder of free lengths."""

import keras
import numpy as np
import pytest
from keras import ops

from keras_seq2seq.layers import BahdanauCell
from keras_seq2seq.layers import CoverageScore
from keras_seq2seq.layers import LocationAwareScore
from keras_seq2seq.layers import LuongCell
from keras_seq2seq.layers import MultiHeadMechanism
from keras_seq2seq.layers import RecurrentDecoder
from tests.helpers.numpy_cells import randomize

RNG = np.random.default_rng(0)
INPUTS = RNG.normal(size=(2, 4, 3)).astype("float32")
VALUE = RNG.normal(size=(2, 5, 6)).astype("float32")
MASK = np.array([[1, 1, 1, 1, 1], [1, 1, 0, 0, 0]], bool)
STATE = RNG.normal(size=(2, 4)).astype("float32")

ATTENTIONS = {
    "location_aware": lambda: LocationAwareScore(
        filters=2, kernel_size=3, cumulative=True
    ),
    "coverage": lambda: CoverageScore(max_fertility=2.0),
    "heads": lambda: MultiHeadMechanism("additive", num_heads=2),
}


def decoder_of(name):
    cell = keras.layers.GRUCell(4)
    if name == "location_aware":
        cell = BahdanauCell(cell, score=ATTENTIONS[name]())
    else:
        # Without feeding, only a state of the attention asks for a loop.
        cell = LuongCell(cell, score=ATTENTIONS[name](), input_feeding=False)
    return RecurrentDecoder(cell, bridge="copy")


def model_of(decoder):
    inputs = keras.Input((None, 3), name="inputs")
    value = keras.Input((None, 6), name="value")
    mask = keras.Input((None,), dtype="bool", name="real")
    state = keras.Input((4,), name="state")
    outputs = decoder(inputs, value, {"forward": [state]}, memory_mask=mask)
    return keras.Model([inputs, value, mask, state], outputs)


@pytest.mark.parametrize("name", sorted(ATTENTIONS))
def test_steps_equal_the_sequence(name, tmp_path):
    decoder = decoder_of(name)
    model = model_of(decoder)
    randomize(model)
    outputs = model.predict([INPUTS, VALUE, MASK, STATE], verbose=0)

    memory, states = decoder.initialize(
        ops.array(VALUE), {"forward": [ops.array(STATE)]}, ops.array(MASK)
    )
    for t in range(4):
        x = ops.array(INPUTS[:, t])
        output, states, *_ = decoder.step(x, states, memory, t)
        np.testing.assert_allclose(
            ops.convert_to_numpy(output), outputs[:, t], atol=1e-5
        )

    model.save(tmp_path / "model.keras")
    loaded = keras.saving.load_model(tmp_path / "model.keras")
    new = loaded.predict([INPUTS, VALUE, MASK, STATE], verbose=0)
    np.testing.assert_allclose(new, outputs, atol=1e-6)


@pytest.mark.parametrize("name", sorted(ATTENTIONS))
def test_gradient_in_half_precision(name, half_precision):
    model = model_of(decoder_of(name))
    model.compile(keras.optimizers.SGD(0.1), "mse", auto_scale_loss=False)
    before = model.get_weights()
    mask = MASK & np.array([[True], [False]])  # one row of padding alone
    targets = np.ones((2, 4, model.output_shape[-1]))
    model.train_on_batch([INPUTS, VALUE, mask, STATE], targets)
    after = model.get_weights()
    assert all(np.isfinite(w).all() for w in after)
    assert any((a != b).any() for a, b in zip(after, before))
