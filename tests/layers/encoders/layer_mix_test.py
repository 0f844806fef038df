import keras
import numpy as np
import pytest
from keras import ops

from keras_seq2seq.layers import LayerMix
from keras_seq2seq.layers import LuongCell
from keras_seq2seq.layers import RecurrentDecoder
from keras_seq2seq.models import Seq2Seq
from keras_seq2seq.testing import assert_close
from keras_seq2seq.testing import run_encoder_test
from keras_seq2seq.testing import run_model_test
from keras_seq2seq.testing import run_serialization_test
from tests.helpers.models import SIZES
from tests.helpers.models import shaken
from tests.helpers.numpy_cells import randomize
from tests.helpers.numpy_encoders import one_way

RNG = np.random.default_rng(0)
X = RNG.normal(size=(3, 5, 6)).astype("float32")
LENGTHS = [5, 2, 0]
MASK = np.arange(5) < np.array(LENGTHS)[:, None]


def mix(units=3, *, kind=keras.layers.GRUCell, **kwargs):
    return LayerMix([kind(units), kind(units)], **kwargs)


def built(encoder):
    encoder.build(X.shape)
    randomize(encoder)
    return encoder


def test_battery():
    run_encoder_test(mix(dropout=0.1))
    revived = run_serialization_test(
        mix(kind=keras.layers.LSTM, train_cells=False)
    )
    revived.build(X.shape)
    names = [weight.name for weight in revived.trainable_weights]
    assert sorted(names) == ["gamma", "layer_weights"]


@pytest.mark.parametrize("kind", [keras.layers.GRUCell, keras.layers.GRU])
def test_against_numpy(kind):
    """Peters et al. (2018), eq. 1, row by row in float64."""
    encoder = built(mix(kind=kind))
    memory, states = encoder(X, mask=ops.array(MASK))
    gamma = ops.convert_to_numpy(encoder.gamma)
    w = ops.convert_to_numpy(encoder.layer_weights).astype("float64")
    shares = np.exp(w) / np.exp(w).sum()
    weights = [
        [layer.get_weights() for layer in layers]
        for layers in (encoder.forward_layers, encoder.backward_layers)
    ]
    for row, length in enumerate(LENGTHS):
        x = X[row, :length].astype("float64")
        f, b = x[:, :3], x[:, 3:]
        expected = shares[0] * x
        for j in range(2):
            f, last_f = one_way(f, weights[0][j])
            b, last_b = one_way(b[::-1], weights[1][j])
            b = b[::-1]
            expected = expected + shares[j + 1] * np.hstack([f, b])
            for name, last in (("forward", last_f), ("backward", last_b)):
                (state,) = states[name][j]
                actual = ops.convert_to_numpy(state)[row]
                np.testing.assert_allclose(actual, last, atol=1e-5)
        actual = ops.convert_to_numpy(memory)[row, :length]
        np.testing.assert_allclose(actual, gamma * expected, atol=1e-5)


def test_first_weights_are_a_mean():
    encoder = mix()
    encoder.build(X.shape)
    weights = [encoder.gamma, encoder.layer_weights]
    assert_close(weights, [np.ones(()), np.zeros(3)], tolerance=0)


def model_of(encoder):
    cell = LuongCell(keras.layers.GRUCell(4))
    decoder = RecurrentDecoder(cell, bridge="dense")
    return Seq2Seq(encoder, decoder, **SIZES)


def test_model():
    run_model_test(shaken(model_of(mix(2, dropout=0.1))))


def test_frozen_models_in_a_trained_model():
    model = model_of(mix(2, train_cells=False))
    model = Seq2Seq.from_config(model.get_config())
    names = [weight.name for weight in model.encoder.trainable_weights]
    assert sorted(names) == ["gamma", "layer_weights"]
    before = model.encoder.get_weights()
    model.compile(
        keras.optimizers.SGD(0.5),
        keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        run_eagerly=keras.backend.backend() != "jax",
    )
    tokens = np.array([[4, 5, 6], [5, 7, 0]], "int32")
    inputs = {"encoder_token_ids": tokens, "decoder_token_ids": tokens}
    model.train_on_batch(inputs, tokens)
    changed = {
        weight.path.rpartition("/")[2]
        for weight, old in zip(model.encoder.weights, before)
        if not np.array_equal(ops.convert_to_numpy(weight), old)
    }
    assert changed == {"gamma", "layer_weights"}


def test_errors():
    with pytest.raises(
        ValueError, match="list of at least one Keras cell.*cells=\\[\\]"
    ):
        LayerMix([])
    with pytest.raises(TypeError, match="`train_cells`"):
        mix(train_cells="no")
    message = "inputs of width 6, forward_0 of width 4.*width 8"
    with pytest.raises(ValueError, match=message):
        mix(4).build(X.shape)
