import keras
import numpy as np
import pytest
from keras import ops

from keras_seq2seq.layers import BahdanauCell
from keras_seq2seq.layers import CopyBridge
from keras_seq2seq.layers import LuongCell
from keras_seq2seq.layers import RecurrentDecoder
from keras_seq2seq.testing import run_serialization_test
from tests.helpers.numpy_cells import attend
from tests.helpers.numpy_cells import gru
from tests.helpers.numpy_cells import randomize

RNG = np.random.default_rng(0)
INPUTS = RNG.normal(size=(2, 4, 3)).astype("float32")
VALUE = RNG.normal(size=(2, 5, 3)).astype("float32")
MASK = np.array([[1, 1, 1, 1, 1], [1, 1, 0, 0, 0]], bool)
STATE = RNG.normal(size=(2, 4)).astype("float32")


def dropping_cell():
    inner = keras.layers.GRUCell(4, dropout=0.4, recurrent_dropout=0.4)
    return BahdanauCell(inner)


def run(decoder, training=False):
    states = {"forward": [ops.array(STATE)]}
    outputs = decoder(
        INPUTS, VALUE, states, memory_mask=ops.array(MASK), training=training
    )
    return ops.convert_to_numpy(outputs)


def kept_masks(decoder):
    cell = decoder.cell.cell
    return [
        x
        for x in (cell._dropout_mask, cell._recurrent_dropout_mask)
        if x is not None
    ]


def test_battery():
    cell = LuongCell(keras.layers.GRUCell(4))
    revived = run_serialization_test(RecurrentDecoder(cell, dropout=0.1))
    assert isinstance(revived.cell, LuongCell)
    revived = run_serialization_test(RecurrentDecoder(cell, bridge="copy"))
    assert isinstance(revived.bridge, CopyBridge)


def test_against_numpy():
    cell = BahdanauCell(keras.layers.GRUCell(4))
    decoder = RecurrentDecoder(cell, bridge="copy", dropout=0.5)
    decoder.build(INPUTS.shape, VALUE.shape, {"forward": [STATE.shape]})
    randomize(decoder)
    outputs, h = run(decoder), STATE
    for t in range(4):
        score = cell.attention.score.get_weights()
        context, _ = attend(h, VALUE, MASK, score)
        step_inputs = np.hstack([INPUTS[:, t], context])
        h = gru(step_inputs, h, *cell.cell.get_weights())
        np.testing.assert_allclose(
            outputs[:, t], np.hstack([h, context]), atol=1e-5
        )


@pytest.mark.parametrize(
    "inner",
    [
        lambda: keras.layers.SimpleRNNCell(4),
        lambda: keras.layers.GRUCell(4),
        lambda: keras.layers.LSTMCell(4),
        lambda: keras.layers.StackedRNNCells(
            [keras.layers.LSTMCell(4), keras.layers.GRUCell(4)]
        ),
    ],
)
def test_recurrence_apart_equals_steps(inner):
    cell = LuongCell(inner(), input_feeding=False)
    decoder = RecurrentDecoder(cell, bridge="dense", dropout=0.5)
    states = {"forward": [ops.array(STATE)]}
    decoder.build(INPUTS.shape, VALUE.shape, {"forward": [STATE.shape]})
    randomize(decoder)
    memory, now = decoder.initialize(
        ops.array(VALUE), states, memory_mask=ops.array(MASK)
    )
    outputs, scores = decoder.decode_sequence(
        ops.array(INPUTS), now, memory, return_attention_scores=True
    )
    for t in range(4):
        output, now, score = cell(INPUTS[:, t], now, memory)
        for whole, one in ((outputs, output), (scores, score)):
            np.testing.assert_allclose(
                ops.convert_to_numpy(whole)[:, t],
                ops.convert_to_numpy(one),
                atol=1e-5,
            )


def test_weights_are_counted_once():
    for feeding in (True, False):
        cell = LuongCell(keras.layers.GRUCell(4), input_feeding=feeding)
        decoder = RecurrentDecoder(cell, bridge="copy")
        decoder.build(INPUTS.shape, VALUE.shape, {"forward": [STATE.shape]})
        assert len(decoder.weights) == 3 + 4 + 1  # GRU, score, vector


def test_run_gives_attention_scores_of_several_beams():
    decoder = RecurrentDecoder(LuongCell(keras.layers.GRUCell(4)))
    states = {"forward": [ops.array(STATE)]}
    plain = decoder(INPUTS, VALUE, states, memory_mask=ops.array(MASK))
    memory, first = decoder.initialize(
        ops.array(VALUE), states, memory_mask=ops.array(MASK)
    )
    twice = keras.tree.map_structure(lambda x: ops.repeat(x, 2, 0), first)
    outputs, scores = decoder.decode_sequence(
        ops.repeat(ops.array(INPUTS), 2, 0),
        twice,
        memory,
        return_attention_scores=True,
    )
    np.testing.assert_allclose(
        ops.convert_to_numpy(outputs),
        np.repeat(ops.convert_to_numpy(plain), 2, axis=0),
        atol=1e-5,
    )
    scores = ops.convert_to_numpy(scores)
    assert scores.shape == (4, 4, 5)
    np.testing.assert_allclose(scores.sum(-1), np.ones((4, 4)), atol=1e-5)
    assert not scores[2:, :, 2:].any()


def test_passes_the_mask_on():
    decoder = RecurrentDecoder(LuongCell(keras.layers.GRUCell(4)))
    inputs = keras.layers.Masking()(INPUTS * np.array([1, 1, 1, 0])[:, None])
    outputs = decoder(inputs, VALUE, {"forward": [ops.array(STATE)]})
    assert ops.convert_to_numpy(outputs._keras_mask)[0].tolist() == [
        True,
        True,
        True,
        False,
    ]


def test_dropout_inside_the_cell():
    def outputs():
        keras.utils.set_random_seed(5)
        decoder = RecurrentDecoder(dropping_cell(), bridge="copy")
        quiet = run(decoder)
        noisy = [run(decoder, training=True) for _ in range(2)]
        assert not kept_masks(decoder)
        np.testing.assert_array_equal(run(decoder), quiet)
        return quiet, *noisy

    quiet, first, second = outputs()
    assert not np.allclose(first, quiet, atol=1e-3)
    assert not np.allclose(first, second, atol=1e-3)
    for once, again in zip((quiet, first, second), outputs()):
        np.testing.assert_allclose(once, again, atol=1e-6)


def test_dropout_on_the_inputs_is_part_of_the_pass():
    cell = BahdanauCell(keras.layers.GRUCell(4))
    decoder = RecurrentDecoder(cell, bridge="copy", dropout=0.5)
    quiet = run(decoder)
    memory, states = decoder.initialize(
        ops.array(VALUE),
        {"forward": [ops.array(STATE)]},
        memory_mask=ops.array(MASK),
    )
    passes = [
        decoder.decode_sequence(
            ops.array(INPUTS), states, memory, training=training
        )
        for training in (False, True)
    ]
    still, noisy = map(ops.convert_to_numpy, passes)
    np.testing.assert_allclose(still, quiet, atol=1e-6)
    assert not np.allclose(noisy, quiet, atol=1e-3)


def test_dropout_leaves_no_mask_behind_a_failed_loop():
    decoder = RecurrentDecoder(dropping_cell(), bridge="copy")
    quiet = run(decoder)
    works, steps = decoder.cell.update, []

    def fails(*args):
        steps.append(args)
        if len(steps) > 1:  # the step ahead of the loop still works
            raise RuntimeError("failed in the loop")
        return works(*args)

    decoder.cell.update = fails
    with pytest.raises(RuntimeError, match="failed in the loop"):
        run(decoder, training=True)
    assert not kept_masks(decoder)
    decoder.cell.update = works
    np.testing.assert_array_equal(run(decoder), quiet)


def test_errors():
    with pytest.raises(TypeError, match="`cell` must be a `DecoderCell`.*GRU"):
        RecurrentDecoder(keras.layers.GRUCell(4))
    cell = LuongCell(keras.layers.GRUCell(4))
    with pytest.raises(ValueError, match="`bridge`.*Received: bridge='glue'"):
        RecurrentDecoder(cell, bridge="glue")
    with pytest.raises(ValueError, match="`dropout`.*Received: dropout=-1"):
        RecurrentDecoder(cell, dropout=-1)
    decoder = RecurrentDecoder(cell, bridge="copy")
    with pytest.raises(ValueError, match=r"encoder=\[4, 4\], decoder=\[4\]"):
        decoder(INPUTS, VALUE, {"forward": [STATE, STATE]})
