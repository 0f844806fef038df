import keras
import numpy as np
import pytest
from keras import ops

from keras_seq2seq.layers import Encoder
from keras_seq2seq.layers import RecurrentEncoder
from keras_seq2seq.layers import StackedEncoder
from keras_seq2seq.testing import run_encoder_test
from keras_seq2seq.testing import run_serialization_test
from tests.helpers.numpy_cells import randomize
from tests.helpers.numpy_encoders import one_way
from tests.helpers.numpy_encoders import padded
from tests.helpers.numpy_encoders import two_ways

RNG = np.random.default_rng(0)
X = RNG.normal(size=(3, 5, 2)).astype("float32")
LENGTHS = [5, 2, 0]
MASK = np.arange(5) < np.array(LENGTHS)[:, None]


def layer(units=4, *, cell=keras.layers.GRUCell, **kwargs):
    return RecurrentEncoder(cell(units), **kwargs)


def gnmt(residual=2, **kwargs):
    """Two directions of two units each, then two layers of four units."""
    bottom = layer(2, bidirectional=True)
    return StackedEncoder([bottom, layer(), layer()], residual=residual)


def test_battery():
    revived = run_serialization_test(gnmt())
    assert [type(e) for e in revived.encoders] == [RecurrentEncoder] * 3
    run_encoder_test(gnmt())


@pytest.mark.parametrize("residual", [False, True, 2])
def test_against_numpy(residual):
    encoder = gnmt(residual)
    encoder.build(X.shape)
    randomize(encoder)
    weights = encoder.get_weights()
    memory, states = encoder(X, mask=ops.array(MASK))
    first = {False: 3, True: 1, 2: 2}[residual]
    assert {k: len(v) for k, v in states.items()} == {
        "forward": 3,
        "backward": 1,
    }
    for row, length in enumerate(LENGTHS):
        m, last, back = two_ways(X[row, :length], weights[:6])
        forward = [last]
        for index in (1, 2):
            begin = 3 * index + 3
            new, last = one_way(m, weights[begin : begin + 3])
            m = new + m if index >= first else new
            forward.append(last)
        actual = ops.convert_to_numpy(memory)[row]
        np.testing.assert_allclose(actual, padded(m, 5), atol=1e-5)
        expected = {"forward": forward, "backward": [back]}
        for name, arrays in expected.items():
            for (state,), array in zip(states[name], arrays, strict=True):
                actual = ops.convert_to_numpy(state)[row]
                np.testing.assert_allclose(actual, array, atol=1e-5)


class Listening(Encoder):
    """An encoder that keeps what it reads, and hands on ones."""

    def call(self, inputs, mask=None):
        self.heard = ops.convert_to_numpy(inputs)
        return ops.ones_like(inputs), {"forward": [ops.ones_like(inputs[:, 0])]}

    def compute_output_shape(self, inputs_shape):
        state = inputs_shape[0], inputs_shape[-1]
        return inputs_shape, {"forward": [state]}


def test_dropout():
    """On what each reads and on the memory, not on what is added."""
    encoder = StackedEncoder(
        [Listening(), Listening()], residual=True, dropout=0.5
    )
    ones = np.ones((4, 9, 8), "float32")
    memory, _ = encoder(ones)
    assert np.all(ops.convert_to_numpy(memory) == 2)
    memory, _ = encoder(ones, training=True)
    heard = [e.heard for e in encoder.encoders]
    for values, kept in ((heard[0], 2), (heard[1], 2), (memory, 4)):
        found = np.unique(ops.convert_to_numpy(values))
        assert found.tolist() == [0, kept]


def test_a_directions_states_are_those_that_have_it():
    lstm = keras.layers.LSTMCell
    encoder = StackedEncoder([layer(3, cell=lstm), layer(3, reverse=True)])
    _, states = encoder(X)
    sizes = keras.tree.map_structure(lambda s: s.shape[-1], states)
    assert sizes == {"forward": [[3, 3]], "backward": [[3]]}


def test_errors():
    for wrong in ([], "gru", layer()):
        with pytest.raises(ValueError, match="`encoders` must be a list"):
            StackedEncoder(wrong)
    with pytest.raises(TypeError, match="`encoders` must be.*`str`"):
        StackedEncoder(["gru"])
    with pytest.raises(ValueError, match="different objects.*2 encoders"):
        StackedEncoder([layer()] * 2)
    for wrong in (-1, 1.0, "yes"):
        with pytest.raises(ValueError, match=f"`residual`.*={wrong!r}"):
            gnmt(wrong)
    encoder = StackedEncoder([layer(3), layer(4)], residual=True)
    message = r"encoders\[1\] with inputs \(3, 5, 3\) and memory \(3, 5, 4\)"
    with pytest.raises(ValueError, match=message):
        encoder(X)
    with pytest.raises(ValueError, match="`dropout`.*dropout=2"):
        StackedEncoder([layer()], dropout=2)
