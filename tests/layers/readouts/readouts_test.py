import numpy as np
import pytest
from keras import ops

from keras_seq2seq.layers import DeepReadout
from keras_seq2seq.layers import DirectReadout
from keras_seq2seq.testing import run_readout_test
from tests.helpers.numpy_cells import randomize

RNG = np.random.default_rng(0)
OUTPUTS, EMBEDDED = RNG.normal(size=(2, 3, 8)), RNG.normal(size=(2, 3, 4))


def test_battery():
    run_readout_test(DeepReadout(units=3, dropout=0.2))
    run_readout_test(DirectReadout(0.2))


def test_deep_readout_against_numpy():
    readout = DeepReadout(units=5, dropout=0.5)
    readout.build(OUTPUTS.shape, EMBEDDED.shape)
    randomize(readout)
    kernel, bias = readout.hidden.get_weights()
    x = np.concatenate([OUTPUTS, EMBEDDED], axis=-1) @ kernel + bias
    expected = np.maximum(x[..., :5], x[..., 5:])
    for actual, array in (
        (readout(OUTPUTS, EMBEDDED), expected),
        (readout(OUTPUTS[:, 1], EMBEDDED[:, 1]), expected[:, 1]),
    ):
        np.testing.assert_allclose(
            ops.convert_to_numpy(actual), array, atol=1e-5
        )


def test_deep_readout_width():
    assert tuple(DeepReadout()(OUTPUTS, EMBEDDED).shape) == (2, 3, 4)


def test_direct_readout():
    readout = DirectReadout(0.5)
    np.testing.assert_allclose(
        ops.convert_to_numpy(readout(OUTPUTS, EMBEDDED)), OUTPUTS, atol=1e-6
    )


@pytest.mark.parametrize("readout", [DeepReadout, DirectReadout])
def test_dropout(readout):
    outputs, embedded = np.ones((4, 50, 8)), np.ones((4, 50, 4))
    x = readout(dropout=0.5)(outputs, embedded, training=True)
    zeros = np.mean(ops.convert_to_numpy(x) == 0)
    assert 0.35 < zeros < 0.65


def test_errors():
    with pytest.raises(ValueError, match="`units`.*Received: units=0"):
        DeepReadout(0)
    for readout in (DeepReadout, DirectReadout):
        with pytest.raises(ValueError, match="`dropout`.*dropout=1"):
            readout(dropout=1)
