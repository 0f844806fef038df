import keras
import numpy as np
import pytest
from keras import ops

from keras_seq2seq.layers import BahdanauCell
from keras_seq2seq.layers import LuongCell
from keras_seq2seq.layers import MUT1Cell
from keras_seq2seq.layers import RecurrentDecoder
from keras_seq2seq.layers import RecurrentEncoder
from keras_seq2seq.layers import RecurrentStack
from keras_seq2seq.layers import SutskeverCell
from keras_seq2seq.models import Seq2Seq
from keras_seq2seq.testing import run_cell_test
from keras_seq2seq.testing import run_model_test
from keras_seq2seq.testing import run_serialization_test
from tests.helpers.models import SIZES
from tests.helpers.models import shaken
from tests.helpers.numpy_cells import gru
from tests.helpers.numpy_cells import lstm
from tests.helpers.numpy_cells import randomize

RNG = np.random.default_rng(0)
X = RNG.normal(size=(3, 5, 2)).astype("float32")
LENGTHS = [5, 2, 0]
MASK = np.arange(5) < np.array(LENGTHS)[:, None]


def mixed(residual=True, **kwargs):
    """GRU, LSTM, GRU of three units."""
    return RecurrentStack(
        [
            keras.layers.GRUCell(3, name="bottom", **kwargs),
            keras.layers.LSTMCell(3, name="middle", **kwargs),
            keras.layers.GRUCell(3, name="top", **kwargs),
        ],
        residual,
    )


def numpy_stack(x, weights, residual):
    """Outputs of one row of real steps, and the last states."""
    bottom = middle = carry = top = np.zeros((1, 3))
    outputs, add = [], float(residual)
    for step in x:
        bottom = gru(step[None], bottom, *weights[:3])
        middle, carry = lstm(bottom, middle, carry, *weights[3:6])
        second = middle + add * bottom
        top = gru(second, top, *weights[6:])
        outputs.append((top + add * second)[0])
    states = [bottom, middle, carry, top]
    return np.array(outputs).reshape(-1, 3), [s[0] for s in states]


def test_battery():
    run_serialization_test(mixed(residual=False))
    run_cell_test(BahdanauCell(mixed(), "additive"))
    run_cell_test(LuongCell(mixed(), "additive"))


@pytest.mark.parametrize("residual", [True, False])
def test_against_numpy_in_an_encoder(residual):
    encoder = RecurrentEncoder(mixed(residual))
    encoder.build(X.shape)
    randomize(encoder)
    weights = encoder.get_weights()
    memory, states = encoder(X, mask=ops.array(MASK))
    states = keras.tree.flatten(states)
    for row, length in enumerate(LENGTHS):
        outputs, last = numpy_stack(X[row, :length], weights, residual)
        expected = np.zeros((5, 3))
        expected[:length] = outputs
        actual = ops.convert_to_numpy(memory)[row]
        np.testing.assert_allclose(actual, expected, atol=1e-5)
        for state, expected in zip(states, last, strict=True):
            actual = ops.convert_to_numpy(state)[row]
            np.testing.assert_allclose(actual, expected, atol=1e-5)


def test_layer_by_layer_equals_step_by_step():
    """Without feedback a decoder runs the cells one after the other."""
    decoder = RecurrentDecoder(SutskeverCell(mixed()), bridge="zero")
    memory = np.ones((3, 4, 2), "float32")
    outputs = decoder(X, memory, {"forward": [np.ones((3, 2))]})
    randomize(decoder)
    outputs = decoder(X, memory, {"forward": [np.ones((3, 2))]})
    for row in range(3):
        expected, _ = numpy_stack(X[row], decoder.get_weights(), True)
        actual = ops.convert_to_numpy(outputs)[row]
        np.testing.assert_allclose(actual, expected, atol=1e-5)


class Halving(RecurrentStack):
    """A stack of a user's own: half of the output."""

    def call(self, inputs, states, training=False):
        output, states = super().call(inputs, states, training=training)
        return output / 2, states


def test_a_subclass_runs_as_one_cell():
    decoder = RecurrentDecoder(SutskeverCell(Halving(mixed().cells)), "zero")
    memory = np.ones((3, 4, 2), "float32")
    outputs = decoder(X, memory, {"forward": [np.ones((3, 2))]})
    expected, _ = numpy_stack(X[0], decoder.get_weights(), True)
    actual = ops.convert_to_numpy(outputs)[0]
    np.testing.assert_allclose(actual, expected / 2, atol=1e-5)


@pytest.mark.parametrize("bidirectional", [False, True])
@pytest.mark.parametrize("kind", [RecurrentStack, keras.layers.StackedRNNCells])
def test_dropout_trains_in_an_encoder(kind, bidirectional):
    rates = {"dropout": 0.3, "recurrent_dropout": 0.3}
    cells = [keras.layers.LSTMCell(3, **rates), MUT1Cell(3, **rates)]
    encoder = RecurrentEncoder(kind(cells), bidirectional)
    inputs = keras.Input((None, 2))
    mask = ops.any(ops.not_equal(inputs, 0.0), axis=-1)
    memory, _ = encoder(inputs, mask=mask)
    model = keras.Model(inputs, memory)
    model.compile(keras.optimizers.SGD(0.0), "mse")
    x = X * MASK[..., None]
    targets = np.ones(model(x).shape)
    quiet = model.predict_on_batch(x)
    losses = [float(model.train_on_batch(x, targets)) for _ in range(3)]
    assert len({round(loss, 5) for loss in losses}) == 3
    np.testing.assert_array_equal(model.predict_on_batch(x), quiet)


def test_model():
    rates = {"dropout": 0.1, "recurrent_dropout": 0.1}
    model = Seq2Seq(
        RecurrentEncoder(mixed(**rates)),
        RecurrentDecoder(BahdanauCell(mixed(**rates)), bridge="copy"),
        **SIZES,
    )
    run_model_test(shaken(model), policies=[])


def test_errors():
    cells = [keras.layers.GRUCell(3), keras.layers.LSTMCell(4)]
    with pytest.raises(ValueError, match=r"widths \[3, 4\].*`residual=False`"):
        RecurrentStack(cells)
    assert RecurrentStack(cells, residual=False).output_size == 4
