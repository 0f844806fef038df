"""Masks of encoders and decoders that are used alone have to fit."""

import keras
import numpy as np
import pytest

from keras_seq2seq import layers

X = np.ones((2, 5, 4), "float32")
WRONG = [(2, 6), (2, 4), (3, 5), (2, 1), (2,), (2, 5, 1)]


def block():
    return layers.TransformerBlock(2, 6)


ENCODERS = {
    "recurrent": lambda: layers.RecurrentEncoder(keras.layers.GRUCell(4)),
    "two_directions": lambda: layers.RecurrentEncoder(
        keras.layers.GRU(4), bidirectional=True
    ),
    "stacked": lambda: layers.StackedEncoder(
        [layers.RecurrentEncoder(keras.layers.GRUCell(4))]
    ),
    "pyramidal": lambda: layers.PyramidalEncoder(
        [layers.RecurrentEncoder(keras.layers.GRUCell(4))]
    ),
    "layer_mix": lambda: layers.LayerMix([keras.layers.GRUCell(2)]),
    "transformer": lambda: layers.TransformerEncoder(block(), 1),
    "identity": lambda: layers.IdentityEncoder(),
}
DECODERS = {
    "bahdanau": lambda: recurrent(layers.BahdanauCell),
    "sutskever": lambda: recurrent(layers.SutskeverCell),
    "transformer": lambda: layers.TransformerDecoder(block(), 1),
    "prefix": lambda: layers.PrefixDecoder(block(), 1),
    "recurrent_prefix": lambda: layers.RecurrentPrefixDecoder(
        keras.layers.GRUCell(4)
    ),
}


def recurrent(cell):
    return layers.RecurrentDecoder(cell(keras.layers.GRUCell(4)), bridge="mean")


@pytest.mark.parametrize("name", ENCODERS)
def test_masks_of_encoders(name):
    encoder = ENCODERS[name]()
    encoder(X, mask=np.ones((2, 5), bool))
    for shape in WRONG:
        with pytest.raises(ValueError, match="`mask` must be of shape"):
            encoder(X, mask=np.ones(shape, bool))


@pytest.mark.parametrize("name", DECODERS)
def test_masks_of_decoders(name):
    decoder, target = DECODERS[name](), np.ones((2, 3, 4), "float32")
    decoder(target, X, {}, memory_mask=np.ones((2, 5), bool))
    for shape in WRONG:
        with pytest.raises(ValueError, match="`memory_mask` must be of shape"):
            decoder(target, X, {}, memory_mask=np.ones(shape, bool))
