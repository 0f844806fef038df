import keras
import numpy as np
import pytest
from keras import ops

from keras_seq2seq.layers import BackwardBridge
from keras_seq2seq.layers import BahdanauCell
from keras_seq2seq.layers import RecurrentDecoder
from keras_seq2seq.layers import RecurrentEncoder
from keras_seq2seq.testing import run_bridge_test
from tests.helpers.numpy_cells import gru
from tests.helpers.numpy_cells import randomize

RNG = np.random.default_rng(0)


def test_battery():
    run_bridge_test(BackwardBridge(activation="relu"), state_size=[3, [5]])


def test_against_numpy():
    h, c, other = RNG.normal(size=(3, 2, 3))
    states = {"forward": [other, other], "backward": [h, c]}
    bridge = BackwardBridge()
    bridge.build({name: [(None, 3)] * 2 for name in states}, [[5, 2], 3])
    randomize(bridge)
    (a, b), d = bridge(states)
    for actual, projection in zip((a, b, d), bridge.projections):
        kernel, bias = projection.get_weights()
        np.testing.assert_allclose(
            ops.convert_to_numpy(actual),
            np.tanh(np.hstack([h, c]) @ kernel + bias),
            atol=1e-5,
        )


def test_it_is_the_state_at_the_first_token():
    encoder = RecurrentEncoder(keras.layers.GRUCell(3), bidirectional=True)
    x = RNG.normal(size=(2, 4, 2)).astype("float32")
    lengths = [4, 2]
    mask = np.arange(4) < np.array(lengths)[:, None]
    memory, states = encoder(x, mask=ops.array(mask))
    decoder = RecurrentDecoder(
        BahdanauCell(keras.layers.GRUCell(5)), bridge="backward"
    )
    decoder(x, memory, states)
    _, first = decoder.initialize(memory, states, ops.array(mask))
    kernel, bias = decoder.bridge.projections[0].get_weights()
    for row, length in enumerate(lengths):
        h = np.zeros((1, 3))
        for step in x[row, :length][::-1]:
            h = gru(step[None], h, *encoder.get_weights()[3:])
        np.testing.assert_allclose(
            ops.convert_to_numpy(first["cell"])[row],
            np.tanh(h @ kernel + bias)[0],
            atol=1e-5,
        )


def test_errors():
    message = (
        r"backward direction.*encoder with \['forward'\], decoder=\[4, 4\].*"
        "bidirectional=True"
    )
    with pytest.raises(ValueError, match=message):
        BackwardBridge().build({"forward": [(None, 3)]}, [4, 4])
