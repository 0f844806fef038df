"""Tiny models, with weights far from their first values."""

import keras
import numpy as np

import keras_seq2seq as k2s

SIZES = {
    "source_vocabulary_size": 9,
    "target_vocabulary_size": 8,
    "embedding_dim": 4,
}


def gru_model(dropout=0.1, **kwargs):
    """Bidirectional GRU, Bahdanau cell, dense bridge, deep output."""
    cell = k2s.layers.BahdanauCell(keras.layers.GRUCell(4))
    return k2s.models.Seq2Seq(
        k2s.layers.RecurrentEncoder(
            keras.layers.GRU(4), bidirectional=True, dropout=dropout
        ),
        k2s.layers.RecurrentDecoder(cell, bridge="dense", dropout=dropout),
        readout=k2s.layers.DeepReadout(units=4, dropout=dropout),
        **SIZES,
        **kwargs,
    )


def lstm_model(dropout=0.1, **kwargs):
    """Two LSTM layers, Luong cell, copy bridge, direct output."""
    cells = [keras.layers.LSTMCell(4, name=f"lstm_{i}") for i in range(2)]
    cell = k2s.layers.LuongCell(
        keras.layers.StackedRNNCells(cells), attention_units=5
    )
    encoder = keras.layers.StackedRNNCells(
        [keras.layers.LSTMCell(4) for _ in range(2)]
    )
    return k2s.models.Seq2Seq(
        k2s.layers.RecurrentEncoder(encoder, dropout=dropout),
        k2s.layers.RecurrentDecoder(cell, bridge="copy", dropout=dropout),
        readout=k2s.layers.DirectReadout(dropout),
        **SIZES,
        **kwargs,
    )


def shaken(model, seed=0):
    """The model with larger weights and no zero among its biases."""
    rng = np.random.default_rng(seed)
    model.set_weights(
        [1.5 * w + rng.normal(0, 0.3, w.shape) for w in model.get_weights()]
    )
    return model
