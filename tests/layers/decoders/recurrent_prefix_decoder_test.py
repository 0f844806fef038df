import keras
import numpy as np
import pytest
from keras import ops

from keras_seq2seq.layers import RecurrentPrefixDecoder
from keras_seq2seq.layers import RecurrentStack
from keras_seq2seq.testing import assert_close
from keras_seq2seq.testing import run_serialization_test
from tests.helpers.numpy_cells import gru
from tests.helpers.numpy_cells import randomize

RNG = np.random.default_rng(0)
TARGET = RNG.normal(size=(3, 4, 3)).astype("float32")
SOURCE = RNG.normal(size=(3, 5, 3)).astype("float32")
LENGTHS = [5, 2, 0]
MASK = np.arange(5) < np.array(LENGTHS)[:, None]


def test_against_numpy():
    decoder = RecurrentPrefixDecoder(keras.layers.GRUCell(4), dropout=0.5)
    decoder.build(TARGET.shape, SOURCE.shape)
    randomize(decoder)
    outputs = decoder(TARGET, SOURCE, memory_mask=ops.array(MASK))
    for row, n in enumerate(LENGTHS):
        h = np.zeros((1, 4))
        sequence = np.concatenate([SOURCE[row, :n], TARGET[row]])
        for place, x in enumerate(sequence):
            h = gru(x[None], h, *decoder.cell.get_weights())
            if place >= n:
                found = ops.convert_to_numpy(outputs[row, place - n])
                np.testing.assert_allclose(found, h[0], atol=1e-5)


class Backwards(keras.layers.StackedRNNCells):
    """A stack of a user's own, which negates what Keras's gives."""

    def call(self, inputs, states, training=False, **kwargs):
        outputs, states = super().call(inputs, states, training, **kwargs)
        return -outputs, states


@pytest.mark.parametrize(
    "stack", [keras.layers.StackedRNNCells, RecurrentStack, Backwards]
)
def test_steps_of_a_stack(stack):
    cells = [keras.layers.LSTMCell(4), keras.layers.GRUCell(4)]
    decoder = RecurrentPrefixDecoder(stack(cells))
    outputs = decoder(TARGET, SOURCE, memory_mask=ops.array(MASK))
    memory, states = decoder.initialize(
        ops.array(SOURCE), memory_mask=ops.array(MASK), max_length=4
    )
    for t in range(4):
        step, states, *_ = decoder.step(
            ops.array(TARGET[:, t]), states, memory, t
        )
        assert_close(step, outputs[:, t])


def test_dropout_inside_the_cell():
    cell = keras.layers.GRUCell(4, dropout=0.4, recurrent_dropout=0.4)
    decoder = RecurrentPrefixDecoder(cell)
    quiet = decoder(TARGET, SOURCE)
    noisy = decoder(TARGET, SOURCE, training=True)
    assert not np.allclose(
        ops.convert_to_numpy(noisy), ops.convert_to_numpy(quiet), atol=1e-3
    )
    assert decoder.cell._dropout_mask is None
    assert_close(decoder(TARGET, SOURCE), quiet)


def test_dropout_leaves_no_mask_behind_a_failed_loop():
    cell = keras.layers.GRUCell(4, dropout=0.4, recurrent_dropout=0.4)
    decoder = RecurrentPrefixDecoder(cell)
    quiet = decoder(TARGET, SOURCE)
    works = cell.call

    def fails(*args, **kwargs):
        raise RuntimeError("failed in the loop")

    cell.call = fails
    with pytest.raises(RuntimeError, match="failed in the loop"):
        decoder(TARGET, SOURCE, training=True)
    cell.call = works
    assert cell._dropout_mask is None
    assert cell._recurrent_dropout_mask is None
    assert_close(decoder(TARGET, SOURCE), quiet)


def test_serialization_and_errors():
    run_serialization_test(
        RecurrentPrefixDecoder(keras.layers.LSTMCell(4), dropout=0.1)
    )
    with pytest.raises(ValueError, match="`cell` must be a Keras cell.*'gru'"):
        RecurrentPrefixDecoder("gru")
    with pytest.raises(ValueError, match="width 3, memory of width 6"):
        RecurrentPrefixDecoder(keras.layers.GRUCell(4))(
            TARGET, np.ones((3, 5, 6))
        )
