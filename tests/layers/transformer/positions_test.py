import numpy as np
import pytest
from keras import ops

from keras_seq2seq.layers import LearnedPosition
from keras_seq2seq.layers import RotaryPosition
from keras_seq2seq.layers import SinusoidalPosition
from keras_seq2seq.layers.transformer.multi_head_attention import rotated
from keras_seq2seq.testing import run_serialization_test

RNG = np.random.default_rng(0)
INPUTS = RNG.normal(size=(2, 50, 7)).astype("float32")


def test_batteries():
    run_serialization_test(LearnedPosition(max_length=9))
    run_serialization_test(RotaryPosition(max_wavelength=99))
    run_serialization_test(SinusoidalPosition(max_wavelength=99))


def test_sinusoidal_against_the_formula():
    added = ops.convert_to_numpy(SinusoidalPosition(100)(INPUTS)) - INPUTS
    for p in (0, 1, 20, 49):
        for i in range(7):
            angle = p / 100 ** (2 * (i // 2) / 7)
            expected = np.cos(angle) if i % 2 else np.sin(angle)
            np.testing.assert_allclose(added[:, p, i], expected, atol=1e-5)


@pytest.mark.parametrize(
    "position", [SinusoidalPosition(), LearnedPosition(50)], ids=repr
)
def test_a_later_first_place(position):
    whole = ops.convert_to_numpy(position(INPUTS))
    for first in (3, ops.array(3)):
        part = position(INPUTS[:, 3:9], first=first)
        np.testing.assert_allclose(
            ops.convert_to_numpy(part), whole[:, 3:9], atol=1e-5
        )


def test_learned_adds_its_table():
    position = LearnedPosition(max_length=60)
    outputs = ops.convert_to_numpy(position(INPUTS))
    table = position.get_weights()[0]
    assert table.shape == (60, 7)
    np.testing.assert_allclose(outputs, INPUTS + table[:50], atol=1e-6)


def test_rotary_turns_complex_numbers():
    heads = RNG.normal(size=(2, 5, 3, 8)).astype("float32")
    rotation = RotaryPosition(100).rotation(5, head_dim=8, first=2)
    # The pair (i, i + 4) is one complex number.
    turns = np.arange(2, 7)[:, None] / 100 ** (2 * np.arange(4) / 8)
    pairs = heads[..., :4] + 1j * heads[..., 4:]
    pairs = pairs * np.exp(1j * turns)[:, None]
    np.testing.assert_allclose(
        ops.convert_to_numpy(rotated(ops.array(heads), rotation)),
        np.concatenate([pairs.real, pairs.imag], axis=-1),
        atol=1e-5,
    )


@pytest.mark.parametrize("dtype", ["int32", "int64"])
@pytest.mark.parametrize(
    "position", [LearnedPosition(9), SinusoidalPosition(), RotaryPosition()]
)
def test_a_first_place_for_each_row(position, dtype):
    inputs = np.ones((2, 3, 4), "float32")
    first = np.array([0, 4], dtype)
    found = ops.convert_to_numpy(position(inputs, first=ops.array(first)))
    for row, place in enumerate(first):
        alone = position(inputs[:1], first=int(place))
        np.testing.assert_allclose(
            found[row], ops.convert_to_numpy(alone)[0], atol=1e-6
        )


def test_errors():
    with pytest.raises(ValueError, match="max_length=10.*: length=50"):
        LearnedPosition(max_length=10)(INPUTS)
    with pytest.raises(ValueError, match="`max_length`.*max_length=0"):
        LearnedPosition(max_length=0)
    with pytest.raises(ValueError, match="even width.*head_dim=5"):
        RotaryPosition().rotation(3, head_dim=5)
    for cls in (RotaryPosition, SinusoidalPosition):
        with pytest.raises(ValueError, match="`max_wavelength`.*=-1"):
            cls(max_wavelength=-1)
