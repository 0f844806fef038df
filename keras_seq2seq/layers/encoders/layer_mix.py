import copy

import keras
from keras import ops

from keras_seq2seq.layers.encoders.encoder import Encoder
from keras_seq2seq.layers.encoders.recurrent_encoder import RecurrentEncoder
from keras_seq2seq.layers.recurrent.final_states import layers_of
from keras_seq2seq.utils import registry
from keras_seq2seq.utils.axes import check_source
from keras_seq2seq.utils.checks import check_rate
from keras_seq2seq.utils.checks import check_type

MODELS = ("forward", "backward")


@keras.saving.register_keras_serializable("keras_seq2seq")
class LayerMix(Encoder):
    """Mix of all layers of a forward and a backward language model: ELMo.

    `m_k = gamma * sum_j softmax(w)_j h_kj` for `j = 0 .. L`, where `h_k0 = x_k`
    is the embedded token and `h_kj = [f_kj; b_kj]` is layer `j` of both models.
    The scalar `gamma`, initialized to 1, and the weights `w`, initialized to 0,
    are learned.

    The two models are independent: layer `j` of a model reads layer `j - 1` of
    the same model. The forward model reads a source from the first token to the
    last. The backward model, a language model trained on reversed texts, reads
    it from the last real token to the first, so padding does not affect it; its
    outputs are returned in the order of the source. The first half of an input
    is the embedding of the forward model, the second half that of the backward
    model; the paper has one embedding for both.
    `keras_seq2seq.models.copy_language_models` copies both models into an
    encoder.

    Args:
        cells: List of Keras cells, Keras RNN layers or their configs, from the
            bottom up. Only the configs are used, once for each model. All must
            be half as wide as the inputs.
        train_cells: Boolean. Whether to train the models' weights, not only
            `gamma` and `w`. Defaults to `True`.
        dropout: Float in `[0, 1)`. Dropout on the inputs and on the memory.
            Defaults to `0.0`.

    Call arguments:
        inputs: Float tensor of shape `(batch_size, source_length, dim)`.
        mask: Boolean tensor of shape `(batch_size, source_length)`, `True` at
            real steps.
        training: Boolean.

    Returns:
        Memory, of the shape of `inputs`, and a dict of the final states of the
        `"forward"` and the `"backward"` model, each a list with the states of
        each layer, from the bottom up.

    Example:

    >>> cells = [keras.layers.LSTM(8), keras.layers.LSTM(8)]
    >>> encoder = k2s.layers.LayerMix(cells, train_cells=False)
    >>> memory, states = encoder(np.ones((2, 5, 16)))
    >>> tuple(memory.shape), len(states["backward"])
    ((2, 5, 16), 2)

    References:
        - [Peters et al., 2018](https://arxiv.org/abs/1802.05365), eq. 1
    """

    def __init__(self, cells, *, train_cells=True, dropout=0.0, **kwargs):
        super().__init__(**kwargs)
        # Configs, not layers: only the copies made from them have weights.
        self.cell_configs = _check_cells(cells)
        self.forward_layers = self._build_layers("forward")
        self.backward_layers = self._build_layers("backward", reverse=True)
        for encoder in (*self.forward_layers, *self.backward_layers):
            encoder.trainable = check_type(train_cells, "train_cells", bool)
        self.dropout = check_rate(dropout, "dropout")
        self.dropout_layer = keras.layers.Dropout(
            dropout, dtype=self.dtype_policy, name="dropout"
        )

    def _build_layers(self, name, **kwargs):
        return [
            RecurrentEncoder(
                copy.deepcopy(config),
                dtype=self.dtype_policy,
                name=f"{name}_{index}",
                **kwargs,
            )
            for index, config in enumerate(self.cell_configs)
        ]

    def build(self, inputs_shape):
        half = (*inputs_shape[:-1], inputs_shape[-1] // 2)
        for encoder in (*self.forward_layers, *self.backward_layers):
            shape, _ = encoder.compute_output_shape(half)
            if 2 * shape[-1] != inputs_shape[-1]:
                raise ValueError(
                    "Each cell must be half as wide as the inputs, which hold "
                    "the embeddings of both models. Received: inputs of width "
                    f"{inputs_shape[-1]}, {encoder.name} of width {shape[-1]}. "
                    f"Use embeddings of width {2 * shape[-1]}, and cells of "
                    "the same width."
                )
            if not encoder.built:
                encoder.build(half)
        self.gamma = self.add_weight((), "ones", name="gamma")
        self.layer_weights = self.add_weight(
            (1 + len(self.forward_layers),), "zeros", name="layer_weights"
        )

    def call(self, inputs, mask=None, training=False):
        check_source(inputs, mask)
        inputs = self.dropout_layer(inputs, training=training)
        both, last = [], {}
        for name, x in zip(MODELS, ops.split(inputs, 2, axis=-1)):
            outputs, last[name] = [], []
            for encoder in getattr(self, f"{name}_layers"):
                x, states = encoder(x, mask=mask, training=training)
                outputs.append(x)
                last[name] += layers_of(states[name])
            both.append(outputs)
        hidden = [ops.concatenate(pair, axis=-1) for pair in zip(*both)]
        memory = self._mix([inputs, *hidden])
        return self.dropout_layer(memory, training=training), last

    def _mix(self, hidden):
        """Mix one tensor per layer, each `(batch_size, length, dim)`."""
        shares = self.gamma * ops.softmax(self.layer_weights)
        shares = ops.cast(shares, self.compute_dtype)
        return sum(shares[j] * h for j, h in enumerate(hidden))

    def compute_output_shape(self, inputs_shape):
        half = (*inputs_shape[:-1], inputs_shape[-1] // 2)
        last = {name: [] for name in MODELS}
        for name in MODELS:
            for encoder in getattr(self, f"{name}_layers"):
                _, states = encoder.compute_output_shape(half)
                last[name] += layers_of(states[name])
        return inputs_shape, last

    def get_config(self):
        return {
            **super().get_config(),
            "cells": copy.deepcopy(self.cell_configs),
            "train_cells": self.forward_layers[0].trainable,
            "dropout": self.dropout,
        }


def _check_cells(cells):
    if not isinstance(cells, (list, tuple)) or not cells:
        raise ValueError(
            "`cells` must be a list of at least one Keras cell. "
            f"Received: cells={cells!r}"
        )
    return [copy.deepcopy(registry.config_of(cell)) for cell in cells]
