import keras
import numpy as np
import pytest
from keras import ops

from keras_seq2seq.layers import RecurrentDecoder
from keras_seq2seq.layers import RecurrentEncoder
from keras_seq2seq.layers import SutskeverCell
from keras_seq2seq.models import Seq2Seq
from keras_seq2seq.testing import run_encoder_test
from keras_seq2seq.testing import run_model_test
from keras_seq2seq.testing import run_serialization_test
from tests.helpers.models import SIZES
from tests.helpers.models import shaken
from tests.helpers.numpy_cells import gru
from tests.helpers.numpy_cells import lstm
from tests.helpers.numpy_cells import randomize

RNG = np.random.default_rng(0)
INPUTS = RNG.normal(size=(3, 5, 2)).astype("float32")
LENGTHS = [5, 2, 0]
MASK = np.arange(5) < np.array(LENGTHS)[:, None]


def numpy_gru(x, weights):
    """Memory and final state of one row of real steps."""
    h, memory = np.zeros((1, 3)), []
    for step in x:
        h = gru(step[None], h, *weights)
        memory.append(h[0])
    return np.array(memory).reshape(-1, 3), h[0]


def test_battery():
    for cell in (
        keras.layers.GRUCell(3),
        keras.layers.LSTM(3),
        keras.layers.StackedRNNCells([keras.layers.LSTMCell(3)]),
    ):
        run_serialization_test(RecurrentEncoder(cell, dropout=0.1))
    revived = run_serialization_test(
        RecurrentEncoder(keras.layers.GRUCell(3), bidirectional=True)
    )
    memory, states = revived(INPUTS)
    assert tuple(memory.shape) == (3, 5, 6)
    run_encoder_test(RecurrentEncoder(keras.layers.GRU(3), reverse=True))


@pytest.mark.parametrize("cell", [keras.layers.GRUCell(3), keras.layers.GRU(3)])
def test_bidirectional_gru_against_numpy(cell):
    encoder = RecurrentEncoder(cell, bidirectional=True, dropout=0.5)
    encoder.build(INPUTS.shape)
    randomize(encoder)
    weights = encoder.get_weights()
    memory, states = encoder(INPUTS, mask=ops.array(MASK))
    memory = ops.convert_to_numpy(memory)
    for row, length in enumerate(LENGTHS):
        x, expected = INPUTS[row, :length], np.zeros((5, 6))
        forward, last = numpy_gru(x, weights[:3])
        # Backwards from the last real step.
        backward, first = numpy_gru(x[::-1], weights[3:])
        expected[:length] = np.hstack([forward, backward[::-1]])
        np.testing.assert_allclose(memory[row], expected, atol=1e-5)
        for name, state in (("forward", last), ("backward", first)):
            (actual,) = states[name]
            np.testing.assert_allclose(
                ops.convert_to_numpy(actual)[row], state, atol=1e-5
            )


@pytest.mark.parametrize("cell", [keras.layers.GRUCell(3), keras.layers.GRU(3)])
def test_reverse_against_numpy(cell):
    encoder = RecurrentEncoder(cell, reverse=True)
    encoder.build(INPUTS.shape)
    randomize(encoder)
    memory, states = encoder(INPUTS, mask=ops.array(MASK))
    assert list(states) == ["backward"]
    for row, length in enumerate(LENGTHS):
        # From the last real step; the memory in the order of the source.
        backward, first = numpy_gru(
            INPUTS[row, :length][::-1], encoder.get_weights()
        )
        expected = np.zeros((5, 3))
        expected[:length] = backward[::-1]
        for actual, array in ((memory, expected), (states["backward"], first)):
            actual = ops.convert_to_numpy(keras.tree.flatten(actual)[0])
            np.testing.assert_allclose(actual[row], array, atol=1e-5)


def test_reverse_model():
    decoder = RecurrentDecoder(SutskeverCell(keras.layers.LSTMCell(4)), "copy")
    encoder = RecurrentEncoder(keras.layers.LSTM(4), reverse=True)
    model = Seq2Seq(encoder, decoder, **SIZES)
    run_model_test(shaken(model), policies=["mixed_bfloat16"])


def test_lstm_states():
    encoder = RecurrentEncoder(keras.layers.LSTMCell(3))
    encoder.build(INPUTS.shape)
    randomize(encoder)
    weights = encoder.get_weights()
    memory, states = encoder(INPUTS, mask=ops.array(MASK))
    h, c = np.zeros((1, 3)), np.zeros((1, 3))
    for step in INPUTS[1, :2]:
        h, c = lstm(step[None], h, c, *weights)
    for actual, expected in zip(states["forward"], (h, c)):
        actual = ops.convert_to_numpy(actual)
        np.testing.assert_allclose(actual[1], expected[0], atol=1e-5)
        assert not actual[2].any()


@pytest.mark.parametrize(
    "direction", [{}, {"bidirectional": True}, {"reverse": True}]
)
@pytest.mark.parametrize(
    "cell",
    [
        keras.layers.GRU(3),
        keras.layers.LSTMCell(3),
        keras.layers.StackedRNNCells(
            [keras.layers.LSTMCell(3), keras.layers.GRUCell(4)]
        ),
    ],
)
def test_compute_output_shape(cell, direction):
    encoder = RecurrentEncoder(cell, **direction)
    symbolic = keras.tree.flatten(encoder(keras.Input((None, 2))))
    outputs = keras.tree.flatten(encoder(INPUTS))
    assert len(outputs) == len(symbolic)
    for real, spec in zip(outputs, symbolic):
        assert len(real.shape) == len(spec.shape)
        for size, expected in zip(real.shape, spec.shape):
            assert expected in (None, size)


def test_takes_the_mask_of_its_inputs():
    masked = keras.layers.Masking(mask_value=9.0)
    inputs = masked(np.where(MASK[..., None], INPUTS, np.float32(9)))
    memory, _ = RecurrentEncoder(keras.layers.GRUCell(3))(inputs)
    assert not ops.convert_to_numpy(memory)[~MASK].any()
    np.testing.assert_array_equal(
        ops.convert_to_numpy(memory._keras_mask), MASK
    )


def test_a_cell_is_only_a_config():
    cell = keras.layers.GRUCell(3)
    encoder = RecurrentEncoder(cell)
    encoder(INPUTS)
    assert not cell.built


def test_errors():
    with pytest.raises(ValueError, match="`dropout`.*Received: dropout=1.5"):
        RecurrentEncoder(keras.layers.GRUCell(3), dropout=1.5)
    layer = keras.layers.Bidirectional(keras.layers.GRU(3))
    with pytest.raises(ValueError, match="`cell`.*`bidirectional=True`"):
        RecurrentEncoder(layer)
    with pytest.raises(ValueError, match="`cell` must be a Keras.*cell=gru"):
        RecurrentEncoder("gru")
    with pytest.raises(ValueError, match="bidirectional=True, reverse=True"):
        RecurrentEncoder(keras.layers.GRUCell(3), True, reverse=True)
    layer = keras.layers.GRU(3, go_backwards=True)
    with pytest.raises(ValueError, match="go_backwards=True.*`reverse=True`"):
        RecurrentEncoder(layer)
