"""Tiny models with a Transformer on one side or both."""

import keras

import keras_seq2seq as k2s
from tests.helpers.models import SIZES


def parts(position="sinusoidal", dropout=0.1, **settings):
    """Encoder and decoder, two blocks each."""
    block = k2s.layers.TransformerBlock(2, 6, dropout=dropout, **settings)
    common = {"position": position, "scale_inputs": True, "dropout": dropout}
    return (
        k2s.layers.TransformerEncoder(block, 2, **common),
        k2s.layers.TransformerDecoder(block, 2, **common),
    )


def transformer_model(position="sinusoidal", sizes=SIZES, **kwargs):
    names = (
        "tie_weights",
        "pad_token_id",
        "source_pad_token_id",
        "use_padding_mask",
    )
    options = {n: kwargs.pop(n) for n in names if n in kwargs}
    encoder, decoder = parts(position, **kwargs)
    return k2s.models.Seq2Seq(encoder, decoder, **sizes, **options)


def recurrent_encoder(dropout=0.1):
    return k2s.layers.RecurrentEncoder(
        keras.layers.GRU(4), bidirectional=True, dropout=dropout
    )


def recurrent_decoder(bridge, dropout=0.1):
    cell = k2s.layers.BahdanauCell(keras.layers.GRUCell(4))
    return k2s.layers.RecurrentDecoder(cell, bridge=bridge, dropout=dropout)
