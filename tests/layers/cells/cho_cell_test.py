import keras
import numpy as np
import pytest
from keras import ops

from keras_seq2seq.layers import ChoCell
from keras_seq2seq.layers import RecurrentDecoder
from keras_seq2seq.layers import RecurrentEncoder
from keras_seq2seq.layers import StackedEncoder
from keras_seq2seq.models import Seq2Seq
from keras_seq2seq.testing import run_cell_test
from keras_seq2seq.testing import run_model_test
from tests.helpers.models import shaken
from tests.helpers.numpy_cells import gru
from tests.helpers.numpy_cells import lstm
from tests.helpers.numpy_cells import randomize
from tests.helpers.numpy_encoders import one_way

RNG = np.random.default_rng(0)
VALUE = RNG.normal(size=(3, 5, 3)).astype("float32")
LENGTHS = [5, 2, 0]
MASK = np.arange(5) < np.array(LENGTHS)[:, None]
INPUTS = RNG.normal(size=(4, 3, 3)).astype("float32")  # time, batch, dim


@pytest.mark.parametrize("context_in_output", [True, False])
def test_battery(context_in_output):
    cell = ChoCell(
        keras.layers.LSTMCell(4),
        context_units=5,
        context_in_output=context_in_output,
    )
    run_cell_test(cell)
    cell = ChoCell(
        keras.layers.GRUCell(4),
        context="identity",
        context_in_output=context_in_output,
    )
    run_cell_test(cell)


def test_against_numpy():
    cell = ChoCell(keras.layers.GRUCell(4), context_units=2)
    cell.build((3, 3), {"value": VALUE.shape})
    randomize(cell)
    memory = cell.prepare_memory(ops.array(VALUE), ops.array(MASK))
    states = cell.get_initial_state(3)
    last = np.stack([VALUE[0, 4], VALUE[1, 1], np.zeros(3)])
    context = np.tanh(last @ cell.context.get_weights()[0])
    h = np.zeros((3, 4))
    for x in INPUTS:
        output, states, _ = cell(x, states, memory)
        h = gru(np.hstack([x, context]), h, *cell.cell.get_weights())
        np.testing.assert_allclose(
            ops.convert_to_numpy(output), np.hstack([h, context]), atol=1e-5
        )


def final_gru(x, *weights):
    return one_way(x, weights)[1]


def final_of_two_lstms(x, *weights):
    h0, c0, h1, c1 = np.zeros((4, 1, 3))
    for step in x:
        h0, c0 = lstm(step[None], h0, c0, *weights[:3])
        h1, c1 = lstm(h0, h1, c1, *weights[3:])
    return h1[0]


FINALS = {
    "forward": (lambda: encoder(), final_gru),
    "reverse": (
        lambda: encoder(reverse=True),
        lambda x, *weights: final_gru(x[::-1], *weights),
    ),
    "bidirectional": (
        lambda: encoder(bidirectional=True),
        lambda x, *weights: np.hstack(
            [final_gru(x, *weights[:3]), final_gru(x[::-1], *weights[3:])]
        ),
    ),
    "deep": (
        lambda: RecurrentEncoder(
            keras.layers.StackedRNNCells(
                [keras.layers.LSTMCell(3), keras.layers.LSTMCell(3)]
            )
        ),
        final_of_two_lstms,
    ),
    "stacked": (
        lambda: StackedEncoder([encoder(), encoder()]),
        lambda x, *weights: final_gru(one_way(x, weights[:3])[0], *weights[3:]),
    ),
}


def encoder(**kwargs):
    return RecurrentEncoder(keras.layers.GRUCell(3), **kwargs)


@pytest.mark.parametrize("context", ["tanh", "identity"])
@pytest.mark.parametrize("kind", FINALS)
def test_sums_up_the_final_state_of_the_encoder(kind, context):
    make, final_of = FINALS[kind]
    reader, cell = make(), ChoCell(keras.layers.GRUCell(4), context=context)
    decoder = RecurrentDecoder(cell, bridge="zero")
    memory, states = reader(VALUE, mask=ops.array(MASK))
    targets = np.moveaxis(INPUTS, 0, 1)
    decoder(targets, memory, states, memory_mask=ops.array(MASK))
    randomize(reader)
    randomize(decoder)
    memory, states = reader(VALUE, mask=ops.array(MASK))
    outputs = decoder(targets, memory, states, memory_mask=ops.array(MASK))
    weights = reader.get_weights()
    for row, length in enumerate(LENGTHS):
        c = final_of(VALUE[row, :length], *weights)
        if context == "tanh":
            c = np.tanh(c @ cell.context.get_weights()[0])
        h = np.zeros((1, 4))
        for t, x in enumerate(targets[row]):
            inputs = np.hstack([x, c])[None]
            h = gru(inputs, h, *cell.cell.get_weights())
            np.testing.assert_allclose(
                ops.convert_to_numpy(outputs)[row, t],
                np.hstack([h[0], c]),
                atol=1e-5,
            )


def test_an_encoder_without_states():
    cell = ChoCell(keras.layers.GRUCell(4), context="identity")
    memory = cell.prepare_memory(ops.array(VALUE), ops.array(MASK), {})
    np.testing.assert_allclose(
        ops.convert_to_numpy(memory["context"]),
        [VALUE[0, 4], VALUE[1, 1], np.zeros(3)],
        atol=1e-6,
    )


def test_models():
    reader = RecurrentEncoder(keras.layers.LSTMCell(3), bidirectional=True)
    cell = ChoCell(
        keras.layers.LSTMCell(4), context="identity", context_in_output=False
    )
    model = Seq2Seq(
        reader,
        RecurrentDecoder(cell),
        source_vocabulary_size=7,
        target_vocabulary_size=6,
        embedding_dim=3,
    )
    run_model_test(shaken(model), policies=["mixed_float16"])


def test_a_config_of_old():
    config = ChoCell(keras.layers.GRUCell(4), context_units=3).get_config()
    assert config.pop("context") == "tanh"
    assert ChoCell.from_config(config).context.units == 3


def test_errors():
    with pytest.raises(ValueError, match="`context` must be one of.*'relu'"):
        ChoCell(keras.layers.GRUCell(4), context="relu")
    with pytest.raises(ValueError, match="'identity'.*context_units=3"):
        ChoCell(keras.layers.GRUCell(4), context="identity", context_units=3)
    message = "`context_units`.*Received: context_units=0"
    with pytest.raises(ValueError, match=message):
        ChoCell(keras.layers.GRUCell(4), context_units=0)
