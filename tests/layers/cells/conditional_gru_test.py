"""A cell of one's own with two transitions fits the contract of a cell."""

import keras
import numpy as np
from keras import ops

import keras_seq2seq as k2s
from keras_seq2seq.testing import assert_close
from keras_seq2seq.testing import run_cell_test
from keras_seq2seq.testing import run_model_test
from tests.helpers.models import shaken
from tests.helpers.numpy_cells import attend
from tests.helpers.numpy_cells import gru
from tests.helpers.numpy_cells import randomize

RNG = np.random.default_rng(0)
VALUE = RNG.normal(size=(2, 5, 3)).astype("float32")
MASK = np.array([[1, 1, 1, 1, 1], [1, 1, 0, 0, 0]], bool)
INPUTS = RNG.normal(size=(4, 2, 3)).astype("float32")  # time, batch, dim


@keras.saving.register_keras_serializable("conditional_gru_test")
class ConditionalGRUCell(k2s.layers.AttentionCell):
    """Nematus's decoder: a transition, attention, and a transition.

    `s' = GRU_1(y, s)`, `c = attention(s')`, `s = GRU_2(c, s')`; the output is
    `s`. Sennrich et al. (2017), https://arxiv.org/abs/1703.04357, section 3.1.
    """

    feeds_back = True

    def __init__(self, cell, score="additive", **kwargs):
        super().__init__(cell, score, **kwargs)
        self.first = keras.layers.GRUCell(self.cell_size, name="first")

    @property
    def output_size(self):
        return self.cell_size

    def build_cell(self, inputs_dim, value_dim):
        for cell, width in ((self.first, inputs_dim), (self.cell, value_dim)):
            if not cell.built:
                cell.build((None, width))

    def cell_inputs(self, inputs, states, memory, noise=None, training=False):
        between, _ = self.first(inputs, [self.top(states["cell"])])
        context, scores, states = self.attend(
            between, states, memory, noise, training
        )
        return context, {**states, "cell": [between]}, scores

    def cell_outputs(
        self, outputs, states, passed, memory, noise=None, training=False
    ):
        # As the first state, which is a tensor alone.
        states = {**states, "cell": self.top(states["cell"])}
        return outputs, states, passed


def test_against_numpy():
    cell = ConditionalGRUCell(keras.layers.GRUCell(4))
    cell.build((2, 3), {"value": VALUE.shape})
    randomize(cell)
    memory = cell.prepare_memory(ops.array(VALUE), ops.array(MASK))
    states, h = cell.get_initial_state(2), np.zeros((2, 4))
    score = cell.attention.score.get_weights()
    for x in INPUTS:
        output, states, scores = cell(ops.array(x), states, memory)
        between = gru(x, h, *cell.first.get_weights())
        context, expected = attend(between, VALUE, MASK, score)
        h = gru(context, between, *cell.cell.get_weights())
        assert_close(output, h.astype("float32"))
        assert_close(scores, expected.astype("float32"))


def test_batteries():
    run_cell_test(ConditionalGRUCell(keras.layers.GRUCell(4)))
    model = k2s.models.Seq2Seq(
        k2s.layers.RecurrentEncoder(keras.layers.GRUCell(4)),
        k2s.layers.RecurrentDecoder(
            ConditionalGRUCell(keras.layers.GRUCell(4))
        ),
        source_vocabulary_size=6,
        target_vocabulary_size=7,
        embedding_dim=3,
    )
    run_model_test(shaken(model), policies=["mixed_bfloat16"])
