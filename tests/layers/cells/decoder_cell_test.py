import keras
import numpy as np
import pytest
from keras import ops

from keras_seq2seq.layers import AdditiveScore
from keras_seq2seq.layers import AttentionMechanism
from keras_seq2seq.layers import BahdanauCell
from keras_seq2seq.layers import LuongCell

VALUE = np.ones((2, 5, 3), "float32")


def test_takes_a_mechanism():
    attention = AttentionMechanism(AdditiveScore(units=2))
    cell = LuongCell(keras.layers.GRUCell(4), score=attention)
    assert cell.attention is attention


def test_takes_configs():
    config = keras.saving.serialize_keras_object(keras.layers.GRUCell(4))
    score = keras.saving.serialize_keras_object(AdditiveScore(units=2))
    cell = BahdanauCell(config, score=score)
    assert cell.cell.units == 4
    assert cell.attention.score.units == 2


@pytest.mark.parametrize("kind", [BahdanauCell, LuongCell])
def test_other_cells(kind):
    # A cell without a `training` argument.
    class Plain(keras.layers.Layer):
        state_size = output_size = 4

        def build(self, shape):
            self.kernel = self.add_weight((shape[-1], 4))

        def call(self, inputs, states):
            (h,) = states if isinstance(states, (list, tuple)) else (states,)
            h = ops.tanh(inputs @ self.kernel + h)
            return h, [h]

    for inner in (Plain(), keras.layers.SimpleRNNCell(4)):
        cell = kind(inner)
        memory = cell.prepare_memory(ops.convert_to_tensor(VALUE))
        states = cell.get_initial_state(4)
        output, new, _ = cell(np.ones((4, 3), "float32"), states, memory)
        assert tuple(output.shape) == (4, cell.output_size)
        keras.tree.assert_same_structure(states, new)


def test_keys_are_projected_once():
    cell = BahdanauCell(keras.layers.GRUCell(4))
    memory = cell.prepare_memory(ops.convert_to_tensor(VALUE))
    assert set(memory) == {"value", "keys"}
    cell(np.ones((2, 3), "float32"), cell.get_initial_state(2), memory)

    def refuse(value):
        raise RuntimeError("a step projects keys")

    cell.attention.score.project_keys = refuse
    cell(np.ones((2, 3), "float32"), cell.get_initial_state(2), memory)
