"""A cell of one's own that attends to two memories, of two sources."""

import keras
import numpy as np
from keras import ops

import keras_seq2seq as k2s
from keras_seq2seq.testing import assert_close
from keras_seq2seq.testing import run_model_test
from tests.helpers.models import shaken
from tests.helpers.numpy_cells import attend
from tests.helpers.numpy_cells import gru
from tests.helpers.numpy_cells import randomize

RNG = np.random.default_rng(0)
MEMORY = {
    "text": RNG.normal(size=(2, 5, 3)).astype("float32"),
    "image": RNG.normal(size=(2, 4, 6)).astype("float32"),
}
MASKS = {
    "text": np.array([[1, 1, 1, 1, 1], [1, 1, 0, 0, 0]], bool),
    "image": np.ones((2, 4), bool),
}
INPUTS = RNG.normal(size=(4, 2, 3)).astype("float32")  # time, batch, dim

register = keras.saving.register_keras_serializable("nested_memory_test")


@register
class TwoMemoriesCell(k2s.layers.DecoderCell):
    """`s' = GRU([y; c_text; c_image], s)`, each context from `s`."""

    feeds_back = True

    def __init__(self, cell, **kwargs):
        super().__init__(cell, **kwargs)
        self.attentions = {
            name: k2s.layers.AttentionMechanism("additive", name=name)
            for name in sorted(MEMORY)
        }

    @property
    def output_size(self):
        return self.cell_size

    def build(self, inputs_shape, memory_shape):
        width, query_shape = inputs_shape[-1], (None, None, self.cell_size)
        for name, attention in self.attentions.items():
            shape = memory_shape["value"][name]
            width += shape[-1]
            if not attention.built:
                attention.build(query_shape, shape)
        if not self.cell.built:
            self.cell.build((None, width))

    def prepare_memory(self, memory, memory_mask=None, encoder_states=None):
        prepared = {}
        for name, attention in self.attentions.items():
            keys = attention.project_keys(memory[name])
            prepared[name] = {"value": memory[name], "keys": keys}
            if memory_mask[name] is not None:  # a loop carries no `None`
                prepared[name]["value_mask"] = memory_mask[name]
        return prepared

    def cell_inputs(self, inputs, states, memory, noise=None, training=False):
        x, all_scores = [inputs], []
        for name, attention in self.attentions.items():
            value = memory[name]["value"]
            rows, length = ops.shape(value)[:2]
            query = ops.reshape(states["cell"], (rows, -1, self.cell_size))
            context, scores = attention(query, **memory[name])
            x.append(ops.reshape(context, (-1, value.shape[-1])))
            all_scores.append(ops.reshape(scores, (-1, length)))
        scores = ops.concatenate(all_scores, axis=-1) / len(all_scores)
        return ops.concatenate(x, axis=-1), states, scores

    def cell_outputs(
        self, outputs, states, passed, memory, noise=None, training=False
    ):
        return outputs, states, passed


@register
class TwoEncoders(k2s.layers.Encoder):
    """A recurrent encoder for each of two sources."""

    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.units = units
        self.encoders = {
            name: k2s.layers.RecurrentEncoder(
                keras.layers.GRUCell(units), name=name
            )
            for name in sorted(MEMORY)
        }

    def build(self, inputs_shape):
        for name, encoder in self.encoders.items():
            if not encoder.built:
                encoder.build(inputs_shape[name])

    def call(self, inputs, mask=None, training=False):
        mask = mask or dict.fromkeys(inputs)
        both = {
            name: encoder(inputs[name], mask=mask[name], training=training)
            for name, encoder in self.encoders.items()
        }
        return {n: memory for n, (memory, _) in both.items()}, both["text"][1]

    def compute_output_shape(self, inputs_shape):
        shapes = {
            name: encoder.compute_output_shape(inputs_shape[name])
            for name, encoder in self.encoders.items()
        }
        return {n: shape for n, (shape, _) in shapes.items()}, shapes["text"][1]

    def get_config(self):
        return {**super().get_config(), "units": self.units}


def test_against_numpy():
    cell = TwoMemoriesCell(keras.layers.GRUCell(4))
    cell.build((2, 3), {"value": {n: x.shape for n, x in MEMORY.items()}})
    randomize(cell)
    decoder = k2s.layers.RecurrentDecoder(cell, bridge="zero")
    inputs = np.moveaxis(INPUTS, 0, 1)
    memory, masks = (
        keras.tree.map_structure(ops.array, x) for x in (MEMORY, MASKS)
    )
    outputs, scores = decoder(
        ops.array(inputs),
        memory,
        {},
        memory_mask=masks,
        return_attention_scores=True,
    )
    h = np.zeros((2, 4))
    for t, x in enumerate(INPUTS):
        found = {
            name: attend(
                h,
                MEMORY[name],
                MASKS[name],
                cell.attentions[name].score.get_weights(),
            )
            for name in sorted(MEMORY)
        }
        x = np.concatenate([x, *(context for context, _ in found.values())], 1)
        h = gru(x, h, *cell.cell.get_weights())
        assert_close(outputs[:, t], h.astype("float32"))
        both = np.concatenate([one for _, one in found.values()], 1) / 2
        assert_close(scores[:, t], both.astype("float32"))


def test_laws():
    model = k2s.models.Seq2Seq(
        TwoEncoders(4),
        k2s.layers.RecurrentDecoder(
            TwoMemoriesCell(keras.layers.GRUCell(4)), bridge="dense"
        ),
        sources=[
            k2s.sources.TokenSource(7, name="text"),
            k2s.sources.RawSource((None, 3), name="image"),
        ],
        target_vocabulary_size=8,
        embedding_dim=3,
    )
    run_model_test(shaken(model))
