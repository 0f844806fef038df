import keras
import numpy as np

from keras_seq2seq.layers import LayerMix
from keras_seq2seq.layers import RecurrentPrefixDecoder
from keras_seq2seq.models.copy_encoder import array_of
from keras_seq2seq.models.copy_encoder import without_free
from keras_seq2seq.models.language_model import LanguageModel
from keras_seq2seq.models.seq2seq import Seq2Seq
from keras_seq2seq.utils.checks import check_type
from keras_seq2seq.utils.configs import config_changes


def copy_language_models(model, forward, backward):
    """Give a model the weights of two language models, to mix their layers.

    The first half of the source embedding and the forward layers of the
    `LayerMix` get the weights of `forward`, the second half and the backward
    layers those of `backward`. The models share nothing afterwards. What the
    language models do with their start token has no counterpart: the encoder
    begins at the first real token.

    Args:
        model: `Seq2Seq` whose encoder is a `LayerMix`, with embeddings twice as
            wide as those of the language models. Its weights are replaced.
        forward: `LanguageModel` with a `RecurrentPrefixDecoder`, trained on
            texts, of the source's vocabulary and the cells of the `LayerMix`.
            Dropout may differ.
        backward: Another one, trained on the same texts, each reversed.

    Example:

    >>> def language_model():
    ...     return k2s.models.LanguageModel.from_preset(
    ...         "zaremba_2014", vocabulary_size=10, units=4, embedding_dim=4
    ...     )
    >>> forward, backward = language_model(), language_model()
    >>> cells = [keras.layers.LSTM(4), keras.layers.LSTM(4)]
    >>> cell = k2s.layers.LuongCell(keras.layers.GRUCell(8))
    >>> model = k2s.models.Seq2Seq(
    ...     k2s.layers.LayerMix(cells, train_cells=False),
    ...     k2s.layers.RecurrentDecoder(cell, bridge="mean"),
    ...     source_vocabulary_size=10,
    ...     target_vocabulary_size=12,
    ...     embedding_dim=8,
    ... )
    >>> k2s.models.copy_language_models(model, forward, backward)
    >>> model.source_embedding.trainable = False

    References:
        - [Peters et al., 2018](https://arxiv.org/abs/1802.05365), section 3.1
    """
    check_type(model, "model", Seq2Seq)
    encoder = check_type(model.encoder, "model.encoder", LayerMix)
    pairs, tables = [], []
    for name, other in {"forward": forward, "backward": backward}.items():
        check_type(other, name, LanguageModel)
        check_type(other.decoder, f"{name}.decoder", RecurrentPrefixDecoder)
        own = [layer.rnn.cell for layer in getattr(encoder, f"{name}_layers")]
        theirs = _layers_of(other.decoder.cell)
        _check_same(model, own, other, theirs, name)
        for one, another in zip(own, theirs):
            pairs += zip(one.weights, another.weights)
        tables.append(array_of(other.source_embedding.weights[0]))
    (table,) = model.source_embedding.weights
    _check_table(table, tables)
    for own, theirs in pairs:
        own.assign(array_of(theirs))
    table.assign(np.concatenate(tables, axis=1))


def _layers_of(cell):
    is_stack = type(cell) is keras.layers.StackedRNNCells
    return cell.cells if is_stack else [cell]


def _check_same(model, own, other, theirs, name):
    """Raise unless the same weights mean the same in both."""
    sides = [
        {
            "source_pad_token_id": one.source.pad_token_id,
            "num_layers": len(cells),
            "cells": [keras.saving.serialize_keras_object(c) for c in cells],
        }
        for one, cells in ((other, theirs), (model, own))
    ]
    changes = config_changes(*map(without_free, sides), path="the setting")
    if changes:
        raise ValueError(
            f"The encoder must have the cells of `{name}`. Received: "
            f"{changes[0]}. Make the `LayerMix` of the same cells."
        )


def _check_table(table, tables):
    rows = {len(one) for one in tables}
    width = sum(one.shape[1] for one in tables)
    if rows != {table.shape[0]} or width != table.shape[1]:
        raise ValueError(
            "The source embedding must hold those of both language models, "
            "side by side. Received: source_embedding of shape "
            f"{tuple(table.shape)}, those of the language models of shapes "
            f"{[one.shape for one in tables]}. Use one tokenizer for all, and "
            f"embedding_dim={width}."
        )
