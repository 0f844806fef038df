import keras
import numpy as np
import pytest
from keras import ops

from keras_seq2seq.layers import LuongCell
from keras_seq2seq.layers import RecurrentDecoder
from keras_seq2seq.layers import RecurrentEncoder
from keras_seq2seq.models import Seq2Seq
from keras_seq2seq.testing import run_cell_test
from keras_seq2seq.testing import run_model_test
from tests.helpers.models import SIZES
from tests.helpers.models import shaken
from tests.helpers.numpy_cells import attend
from tests.helpers.numpy_cells import gru
from tests.helpers.numpy_cells import lstm
from tests.helpers.numpy_cells import randomize

RNG = np.random.default_rng(0)
VALUE = RNG.normal(size=(2, 5, 3)).astype("float32")
MASK = np.array([[1, 1, 1, 1, 1], [1, 1, 0, 0, 0]], bool)
INPUTS = RNG.normal(size=(4, 2, 3)).astype("float32")  # time, batch, dim


def steps_of(cell):
    """Outputs and attention scores of all steps, `(time, batch, dim)`."""
    memory = cell.prepare_memory(ops.array(VALUE), ops.array(MASK))
    states, steps = cell.get_initial_state(2), []
    for x in INPUTS:
        output, states, scores = cell(x, states, memory)
        steps.append((output, scores))
    return [
        np.stack([ops.convert_to_numpy(x) for x in xs]) for xs in zip(*steps)
    ]


def built(cell):
    cell.build((2, 3), {"value": VALUE.shape})
    randomize(cell)
    return cell


def test_battery():
    run_cell_test(LuongCell(keras.layers.GRUCell(4)))
    run_cell_test(LuongCell(keras.layers.LSTMCell(4), attention_units=6))
    cell = keras.layers.LSTMCell(4)
    run_cell_test(LuongCell(cell, input_feeding=False, output="both"))
    run_cell_test(LuongCell(cell, input_feeding=False, replace_state=True))
    for kind in PLAIN:
        cell = keras.layers.LSTMCell(4)
        run_cell_test(LuongCell(cell, attention_vector=kind, output="both"))
        cell = keras.layers.GRUCell(4)
        run_cell_test(
            LuongCell(cell, attention_vector=kind, replace_state=True)
        )

    for feeding in ({}, {"input_feeding": False, "replace_state": True}):
        cell = keras.layers.LSTMCell(4)
        run_cell_test(LuongCell(cell, output="state", **feeding))


def test_gru_against_numpy():
    cell = built(LuongCell(keras.layers.GRUCell(4), attention_units=5))
    outputs, scores = steps_of(cell)
    (kernel,) = cell.attention_vector.get_weights()
    h, a = np.zeros((2, 4)), np.zeros((2, 5))
    for t, x in enumerate(INPUTS):
        h = gru(np.hstack([x, a]), h, *cell.cell.get_weights())
        context, expected = attend(
            h, VALUE, MASK, cell.attention.score.get_weights()
        )
        a = np.tanh(np.hstack([context, h]) @ kernel)
        np.testing.assert_allclose(outputs[t], a, atol=1e-5)
        np.testing.assert_allclose(scores[t], expected, atol=1e-5)


def test_stacked_lstm_against_numpy():
    cells = [keras.layers.LSTMCell(4), keras.layers.LSTMCell(4)]
    cell = built(LuongCell(keras.layers.StackedRNNCells(cells)))
    outputs, _ = steps_of(cell)
    low, top = (cell.cell.cells[i].get_weights() for i in range(2))
    (kernel,) = cell.attention_vector.get_weights()
    a, h0, c0, h1, c1 = np.zeros((5, 2, 4))
    for t, x in enumerate(INPUTS):
        h0, c0 = lstm(np.hstack([x, a]), h0, c0, *low)
        h1, c1 = lstm(h0, h1, c1, *top)
        score = cell.attention.score.get_weights()
        context, _ = attend(h1, VALUE, MASK, score)  # the top one attends
        a = np.tanh(np.hstack([context, h1]) @ kernel)
        np.testing.assert_allclose(outputs[t], a, atol=1e-5)


def test_without_input_feeding_against_numpy():
    cell = built(
        LuongCell(keras.layers.GRUCell(4), input_feeding=False, output="both")
    )
    outputs, scores = steps_of(cell)
    (kernel,) = cell.attention_vector.get_weights()
    h = np.zeros((2, 4))
    for t, x in enumerate(INPUTS):
        h = gru(x, h, *cell.cell.get_weights())
        context, expected = attend(
            h, VALUE, MASK, cell.attention.score.get_weights()
        )
        a = np.tanh(np.hstack([context, h]) @ kernel)
        np.testing.assert_allclose(outputs[t], np.hstack([a, h]), atol=1e-5)
        np.testing.assert_allclose(scores[t], expected, atol=1e-5)


def test_attention_vector_as_the_new_state_against_numpy():
    cells = [keras.layers.LSTMCell(4), keras.layers.LSTMCell(4)]
    cell = built(
        LuongCell(
            keras.layers.StackedRNNCells(cells),
            input_feeding=False,
            replace_state=True,
        )
    )
    outputs, _ = steps_of(cell)
    low, top = (cell.cell.cells[i].get_weights() for i in range(2))
    (kernel,) = cell.attention_vector.get_weights()
    h0, c0, a, c1 = np.zeros((4, 2, 4))
    for t, x in enumerate(INPUTS):
        h0, c0 = lstm(x, h0, c0, *low)
        h1, c1 = lstm(h0, a, c1, *top)
        score = cell.attention.score.get_weights()
        context, _ = attend(h1, VALUE, MASK, score)
        a = np.tanh(np.hstack([context, h1]) @ kernel)
        np.testing.assert_allclose(outputs[t], a, atol=1e-5)


PLAIN = {"linear": lambda c, h, kernel: np.hstack([c, h]) @ kernel}
PLAIN["context"] = lambda c, h, kernel: c


@pytest.mark.parametrize("input_feeding", [True, False])
@pytest.mark.parametrize("kind", PLAIN)
def test_plain_attention_vectors_against_numpy(kind, input_feeding):
    cell = built(
        LuongCell(
            keras.layers.GRUCell(4),
            attention_vector=kind,
            attention_units=5 if kind == "linear" else None,
            input_feeding=input_feeding,
            output="both",
        )
    )
    outputs, scores = steps_of(cell)
    kernel = None
    if kind == "linear":
        (kernel,) = cell.attention_vector.get_weights()
    h, a = np.zeros((2, 4)), np.zeros((2, 5 if kind == "linear" else 3))
    for t, x in enumerate(INPUTS):
        inputs = np.hstack([x, a]) if input_feeding else x
        h = gru(inputs, h, *cell.cell.get_weights())
        score = cell.attention.score.get_weights()
        context, expected = attend(h, VALUE, MASK, score)
        a = PLAIN[kind](context, h, kernel)
        np.testing.assert_allclose(outputs[t], np.hstack([a, h]), atol=1e-5)
        np.testing.assert_allclose(scores[t], expected, atol=1e-5)


def test_context_as_the_new_state_against_numpy():
    cell = built(
        LuongCell(
            keras.layers.LSTMCell(3),
            attention_vector="context",
            input_feeding=False,
            replace_state=True,
        )
    )
    outputs, _ = steps_of(cell)
    context, c = np.zeros((2, 2, 3))
    for t, x in enumerate(INPUTS):
        h, c = lstm(x, context, c, *cell.cell.get_weights())
        score = cell.attention.score.get_weights()
        context, _ = attend(h, VALUE, MASK, score)
        np.testing.assert_allclose(outputs[t], context, atol=1e-5)


@pytest.mark.parametrize(
    "input_feeding, replace_state",
    [(True, False), (False, True), (True, True)],
)
def test_the_state_as_the_output_against_numpy(input_feeding, replace_state):
    """The output is `h_t`; what is fed back is the attention vector."""
    cell = built(
        LuongCell(
            keras.layers.GRUCell(4),
            input_feeding=input_feeding,
            replace_state=replace_state,
            output="state",
        )
    )
    assert cell.output_size == 4
    outputs, scores = steps_of(cell)
    (kernel,) = cell.attention_vector.get_weights()
    h, a = np.zeros((2, 2, 4))
    for t, x in enumerate(INPUTS):
        inputs = np.hstack([x, a]) if input_feeding else x
        h = gru(inputs, a if replace_state else h, *cell.cell.get_weights())
        score = cell.attention.score.get_weights()
        context, expected = attend(h, VALUE, MASK, score)
        a = np.tanh(np.hstack([context, h]) @ kernel)
        np.testing.assert_allclose(outputs[t], h, atol=1e-5)
        np.testing.assert_allclose(scores[t], expected, atol=1e-5)


def test_logits_of_state_and_context():
    """`W_out h_t + W_att c_t`, of an output layer over `[c_t; h_t]`."""
    cell = LuongCell(
        keras.layers.GRUCell(4),
        attention_vector="context",
        input_feeding=False,
        output="both",
    )
    outputs, _ = steps_of(built(cell))
    dense = keras.layers.Dense(6)
    logits = ops.convert_to_numpy(dense(ops.array(outputs)))
    kernel, bias = dense.get_weights()
    w_att, w_out = kernel[:3], kernel[3:]
    h = np.zeros((2, 4))
    for t, x in enumerate(INPUTS):
        h = gru(x, h, *cell.cell.get_weights())
        score = cell.attention.score.get_weights()
        context, _ = attend(h, VALUE, MASK, score)
        expected = h @ w_out + context @ w_att + bias
        np.testing.assert_allclose(logits[t], expected, atol=1e-4)


@pytest.mark.parametrize("output", ["state", "both"])
def test_model_whose_state_is_the_context(output):
    cell = LuongCell(
        keras.layers.GRUCell(4),
        attention_vector="context",
        replace_state=True,
        output=output,
    )
    encoder = RecurrentEncoder(keras.layers.GRUCell(4))
    model = Seq2Seq(encoder, RecurrentDecoder(cell), **SIZES)
    run_model_test(shaken(model), policies=["mixed_bfloat16"])


def test_a_config_of_old():
    config = LuongCell(keras.layers.GRUCell(4), attention_units=3).get_config()
    assert config.pop("attention_vector") == "tanh"
    vector = LuongCell.from_config(config).attention_vector
    assert vector.units == 3
    assert vector.activation is keras.activations.tanh


def test_feeds_back():
    inner = keras.layers.GRUCell(4)
    assert LuongCell(inner).feeds_back
    assert LuongCell(inner, input_feeding=False, replace_state=True).feeds_back
    assert not LuongCell(inner, input_feeding=False).feeds_back


def test_sizes():
    cell = LuongCell(keras.layers.LSTMCell(4), attention_units=6)
    assert cell.state_size == {"cell": [4, 4], "attention_vector": 6}
    assert cell.output_size == 6
    assert LuongCell(keras.layers.GRUCell(4)).output_size == 4


def test_errors():
    remembers = LuongCell(keras.layers.GRUCell(4), score="coverage")
    with pytest.raises(ValueError, match="memory=None.*`prepare_memory`"):
        remembers.get_initial_state(batch_size=2)
    message = "`attention_units`.*Received: attention_units=0"
    with pytest.raises(ValueError, match=message):
        LuongCell(keras.layers.GRUCell(4), attention_units=0)
    with pytest.raises(ValueError, match="`output` must be one of.*'cell'"):
        LuongCell(keras.layers.GRUCell(4), output="cell")
    with pytest.raises(ValueError, match="fed back.*input_feeding=False"):
        LuongCell(keras.layers.GRUCell(4), input_feeding=False, output="state")
    with pytest.raises(ValueError, match="attention_units=5, .*width 4"):
        LuongCell(
            keras.layers.GRUCell(4), attention_units=5, replace_state=True
        )
    message = "`attention_vector` must be one of.*'relu'"
    with pytest.raises(ValueError, match=message):
        LuongCell(keras.layers.GRUCell(4), attention_vector="relu")
    with pytest.raises(ValueError, match="'context'.*attention_units=5"):
        LuongCell(
            keras.layers.GRUCell(4),
            attention_vector="context",
            attention_units=5,
        )
    cell = LuongCell(
        keras.layers.GRUCell(4), attention_vector="context", replace_state=True
    )
    with pytest.raises(ValueError, match="width 3, a state of width 4"):
        built(cell)  # the memory is narrower
