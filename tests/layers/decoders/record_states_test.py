import keras
import numpy as np
import pytest
from keras import ops

from keras_seq2seq.layers import BahdanauCell
from keras_seq2seq.layers import LuongCell
from keras_seq2seq.layers import RecurrentDecoder
from keras_seq2seq.layers import RecurrentPrefixDecoder
from keras_seq2seq.layers import TransformerBlock
from keras_seq2seq.layers import TransformerDecoder
from keras_seq2seq.testing import assert_close
from tests.helpers.numpy_cells import attend
from tests.helpers.numpy_cells import gru
from tests.helpers.numpy_cells import lstm
from tests.helpers.numpy_cells import randomize

RNG = np.random.default_rng(0)
INPUTS = RNG.normal(size=(2, 4, 3)).astype("float32")
VALUE = RNG.normal(size=(2, 5, 3)).astype("float32")
MASK = np.array([[1, 1, 1, 1, 1], [1, 1, 0, 0, 0]], bool)
STATE = RNG.normal(size=(2, 4)).astype("float32")


def doubles(layer):
    return [w.astype("float64") for w in layer.get_weights()]


def begun(cell, bridge="copy"):
    decoder = RecurrentDecoder(cell, bridge=bridge, dropout=0.5)
    decoder.build(INPUTS.shape, VALUE.shape, {"forward": [STATE.shape]})
    randomize(decoder)
    return decoder


def states_over(decoder):
    states = {"forward": [ops.array(STATE)]}
    memory, first = decoder.initialize(
        ops.array(VALUE), states, memory_mask=ops.array(MASK)
    )
    found = decoder.decode_states(ops.array(INPUTS), first, memory)
    return keras.tree.map_structure(ops.convert_to_numpy, found)


def test_gru_with_attention_against_numpy():
    decoder = begun(BahdanauCell(keras.layers.GRUCell(4)))
    states = states_over(decoder)
    assert len(keras.tree.flatten(states)) == 1
    (found,), h = keras.tree.flatten(states), STATE.astype("float64")
    score = doubles(decoder.cell.attention.score)
    for t in range(4):
        context, _ = attend(h, VALUE.astype("float64"), MASK, score)
        step_inputs = np.hstack([INPUTS[:, t], context])
        h = gru(step_inputs, h, *doubles(decoder.cell.cell))
        np.testing.assert_allclose(found[:, t], h, atol=1e-5)


def test_lstm_after_a_source_against_numpy():
    """The source is read first, each row as far as it goes."""
    decoder = RecurrentPrefixDecoder(keras.layers.LSTMCell(4))
    decoder.build(INPUTS.shape, VALUE.shape)
    randomize(decoder)
    memory, first = decoder.initialize(ops.array(VALUE), None, ops.array(MASK))
    found = decoder.decode_states(ops.array(INPUTS), first, memory)
    hidden, carry = map(ops.convert_to_numpy, found)
    weights = doubles(decoder.cell)
    for row in range(2):
        h = c = np.zeros((1, 4))
        source = VALUE[row, MASK[row]].astype("float64")
        for x in source:
            h, c = lstm(x[None], h, c, *weights)
        for t, x in enumerate(INPUTS[row].astype("float64")):
            h, c = lstm(x[None], h, c, *weights)
            np.testing.assert_allclose(hidden[row, t], h[0], atol=1e-5)
            np.testing.assert_allclose(carry[row, t], c[0], atol=1e-5)


@pytest.mark.parametrize("score", ["additive", "coverage"])
@pytest.mark.parametrize("input_feeding", [True, False])
def test_each_equals_that_of_its_step(score, input_feeding):
    """Nested as the cell has them, whatever else a step hands to the next."""
    stack = keras.layers.StackedRNNCells(
        [keras.layers.LSTMCell(4), keras.layers.GRUCell(4)]
    )
    cell = LuongCell(stack, score, input_feeding=input_feeding)
    decoder = begun(cell, "dense")
    states = states_over(decoder)
    memory, now = decoder.initialize(
        ops.array(VALUE),
        {"forward": [ops.array(STATE)]},
        memory_mask=ops.array(MASK),
    )
    for t in range(4):
        _, now, *_ = decoder.step(ops.array(INPUTS[:, t]), now, memory, t)
        here = keras.tree.map_structure(lambda x: x[:, t], states)
        keras.tree.assert_same_structure(here, now["cell"])
        for whole, one in zip(*map(keras.tree.flatten, (here, now["cell"]))):
            assert_close(whole, one)


def test_a_transformer_has_none():
    decoder = TransformerDecoder(TransformerBlock(1, 6), 1)
    with pytest.raises(ValueError, match="Received: a `TransformerDecoder`"):
        decoder.decode_states(None, None, None)
