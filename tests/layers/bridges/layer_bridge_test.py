import keras
import numpy as np
import pytest
from keras import ops

from keras_seq2seq.layers import BahdanauCell
from keras_seq2seq.layers import LayerBridge
from keras_seq2seq.layers import RecurrentDecoder
from keras_seq2seq.layers import RecurrentEncoder
from keras_seq2seq.layers import StackedEncoder
from keras_seq2seq.models import Seq2Seq
from keras_seq2seq.testing import run_bridge_test
from keras_seq2seq.utils.structures import plain
from tests.helpers.models import SIZES

LSTM, GRU = keras.layers.LSTMCell, keras.layers.GRUCell


def stack(cell, count, units=3):
    return keras.layers.StackedRNNCells([cell(units) for _ in range(count)])


def two_ways(cell):
    return RecurrentEncoder(cell, bidirectional=True)


def gnmt(cell):
    """The first layer reads in both directions, two more forward."""
    first = two_ways(cell(3))
    return StackedEncoder([first, *(RecurrentEncoder(cell(3)) for _ in "ab")])


def test_battery():
    run_bridge_test(LayerBridge())
    run_bridge_test(LayerBridge(), state_size=[4, 4], num_layers=2)


@pytest.mark.parametrize(
    "encoder, decoder, mapping",
    [
        # `encoder_type="bi"` of tensorflow/nmt, of 2 and of 4 layers
        (two_ways(LSTM(3)), stack(LSTM, 2), "f0 b0"),
        (two_ways(GRU(3)), stack(GRU, 2), "f0 b0"),
        (two_ways(stack(LSTM, 2)), stack(LSTM, 4), "f0 b0 f1 b1"),
        # `encoder_type="gnmt"`: `bi_encoder_state[1]`, and what is above
        (gnmt(LSTM), stack(LSTM, 3), "b0 f1 f2"),
        (gnmt(GRU), stack(GRU, 3), "b0 f1 f2"),
        (gnmt(GRU), stack(GRU, 4), "f0 b0 f1 f2"),
        # one direction, and the backward state of two
        (RecurrentEncoder(stack(LSTM, 2)), stack(LSTM, 2), "f0 f1"),
        (RecurrentEncoder(GRU(3), reverse=True), GRU(3), "b0"),
        (two_ways(LSTM(3)), LSTM(3), "b0"),
    ],
)
def test_which_layer_begins_with_which(encoder, decoder, mapping):
    _, states = encoder(np.random.default_rng(0).normal(size=(2, 5, 4)))
    bridge = LayerBridge()
    bridge.num_layers = len(getattr(decoder, "cells", "a"))
    shapes = keras.tree.map_structure(lambda x: tuple(x.shape), states)
    bridge.build(shapes, decoder.state_size)
    assert " ".join(f"{n[0]}{i}" for n, i in bridge.mapping) == mapping
    first = bridge(states)
    keras.tree.assert_same_structure(first, plain(decoder.state_size))
    flat = {name[0]: keras.tree.flatten(x) for name, x in states.items()}
    count = len(keras.tree.flatten(first)) // len(mapping.split())
    expected = [
        flat[name][int(i) * count + k]
        for name, i in mapping.split()
        for k in range(count)
    ]
    for one, other in zip(keras.tree.flatten(first), expected, strict=True):
        np.testing.assert_array_equal(
            ops.convert_to_numpy(one), ops.convert_to_numpy(other)
        )


def test_errors():
    cell = BahdanauCell(stack(LSTM, 3))
    decoder = RecurrentDecoder(cell, bridge="layer")
    message = r"'forward': \[\(3, 3\)\].*decoder=\[\[3, 3\], .*bridge='dense'"
    with pytest.raises(ValueError, match=message):
        Seq2Seq(two_ways(LSTM(3)), decoder, **SIZES)
    one_lstm = BahdanauCell(LSTM(3))
    two_grus = BahdanauCell(stack(GRU, 2))
    for encoder, cell in (
        (RecurrentEncoder(LSTM(3)), two_grus),
        (two_ways(GRU(3)), one_lstm),
        (RecurrentEncoder(stack(GRU, 2)), one_lstm),
    ):
        with pytest.raises(ValueError, match="an encoder layer with"):
            Seq2Seq(encoder, RecurrentDecoder(cell, bridge="layer"), **SIZES)
    bridge = LayerBridge()
    with pytest.raises(ValueError, match="decoder=4"):
        bridge.build({"forward": [(None, 3)]}, 4)
    with pytest.raises(ValueError, match="has none.*bridge='mean'"):
        bridge.build({}, 4)
