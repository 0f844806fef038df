import keras
import numpy as np
import pytest
from keras import ops

from keras_seq2seq.layers.dense import Dense
from keras_seq2seq.layers.transformer.residual import Residual

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("shape", [(5, 4), (2, 5, 4), (2, 3, 5, 4)])
def test_numbers_are_those_of_keras(shape):
    inputs = RNG.normal(size=shape).astype("float32")
    ours, theirs = (
        kind(3, activation="tanh", bias_initializer="uniform")
        for kind in (Dense, keras.layers.Dense)
    )
    expected = theirs(inputs)
    ours.build(shape)
    ours.set_weights(theirs.get_weights())
    np.testing.assert_allclose(
        ops.convert_to_numpy(ours(inputs)),
        ops.convert_to_numpy(expected),
        atol=1e-6,
    )


def test_passes_the_mask_on():
    inputs = np.array([[[1.0], [0.0]]], "float32")
    outputs = Dense(3)(keras.layers.Masking()(inputs))
    mask = ops.convert_to_numpy(outputs._keras_mask)
    assert mask.tolist() == [[True, False]]


def test_can_be_quantized():
    """Each weight is within half a step of 1 / 127 of its column's largest."""
    inputs = RNG.normal(size=(2, 5, 4)).astype("float32")
    layer = Dense(3, use_bias=False)
    layer.build(inputs.shape)
    (kernel,) = layer.get_weights()
    layer.quantize("int8")
    assert layer.quantization_mode == "int8"
    found = ops.convert_to_numpy(layer(inputs))
    # Inputs are rounded as well, row by row.
    steps = np.abs(kernel).max(0) / 127, np.abs(inputs).max(-1) / 127
    error = np.abs(inputs).sum(-1)[..., None] * steps[0] / 2
    error = error + steps[1][..., None] / 2 * np.abs(kernel).sum(0)
    error = error + 4 * steps[1][..., None] / 2 * steps[0] / 2
    assert (np.abs(found - inputs @ kernel) <= error + 1e-5).all()
    assert np.abs(found - inputs @ kernel).max() > 1e-5


def test_a_model_of_ones_own_is_saved_with_it(tmp_path):
    inputs = keras.Input((4,))
    model = keras.Model(inputs, Dense(3)(inputs))
    model.save(tmp_path / "model.keras")
    loaded = keras.saving.load_model(tmp_path / "model.keras")
    ones = np.ones((2, 4), "float32")
    np.testing.assert_allclose(
        ops.convert_to_numpy(loaded(ones)), ops.convert_to_numpy(model(ones))
    )


def test_all_layers_are_registered():
    """But for the abstract ones, each can stand in a saved model."""
    kinds = [keras.layers.Layer]
    for kind in kinds:
        kinds += [k for k in kind.__subclasses__() if k not in kinds]
    ours = {
        kind
        for kind in kinds
        if kind.__module__.startswith("keras_seq2seq.")
        and not kind.__module__.startswith("keras_seq2seq.testing.")
        and not (kind.__doc__ or "").startswith("Abstract")
    }
    assert Dense in ours and len(ours) > 50
    registered = keras.saving.get_registered_name
    loose = {k for k in ours if ">" not in registered(k)}
    assert loose == {Residual}  # part of a block, which has its config
