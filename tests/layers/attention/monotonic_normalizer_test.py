import keras
import numpy as np
import pytest
from keras import ops

from keras_seq2seq.layers import AttentionMechanism
from keras_seq2seq.layers import BahdanauCell
from keras_seq2seq.layers import LuongCell
from keras_seq2seq.layers import MonotonicNormalizer
from keras_seq2seq.testing import run_cell_test
from keras_seq2seq.testing import run_normalizer_test

RNG = np.random.default_rng(0)
QUERY = RNG.normal(size=(2, 3, 4)).astype("float32")
VALUE = RNG.normal(size=(2, 5, 6)).astype("float32")
MASK = np.array([[1, 1, 1, 1, 1], [1, 0, 1, 0, 0]], bool)
MODES = ["parallel", "recursive", "hard"]


def mechanism(mode, **kwargs):
    return AttentionMechanism("additive", MonotonicNormalizer(mode, **kwargs))


def numpy_weights(energies, mask, previous, mode):
    """The sum over all starts, one row and one place at a time."""
    p = 1 / (1 + np.exp(-energies.astype("float64")))
    p = (p > 0.5) * 1.0 if mode == "hard" else p
    p = p * mask
    result = np.zeros(p.shape)
    for row, j in np.ndindex(p.shape):
        result[row, j] = p[row, j] * sum(
            previous[row, k] * np.prod(1 - p[row, k:j]) for k in range(j + 1)
        )
    return result


@pytest.mark.parametrize("mode", MODES)
def test_battery(mode):
    run_normalizer_test(
        MonotonicNormalizer(mode, inference_mode="hard", noise=1.0, bias=-2.0)
    )
    for kind in (BahdanauCell, LuongCell):
        run_cell_test(kind(keras.layers.GRUCell(4), mechanism(mode)))


@pytest.mark.parametrize("mode", MODES)
def test_walks_on_from_step_to_step(mode):
    attention = mechanism(mode, bias=-0.3)
    assert attention.state_size == {"normalizer": None}
    mask = ops.array(MASK)
    keys, state, previous = None, None, np.eye(5)[[0, 0]]
    for query in np.split(4 * QUERY, 3, axis=1):
        energies = attention.score(query, VALUE)
        context, weights, state = attention(
            query, VALUE, keys, value_mask=mask, state=state
        )
        previous = numpy_weights(
            ops.convert_to_numpy(energies)[:, 0] - 0.3, MASK, previous, mode
        )
        for actual in (weights, state["normalizer"]):
            np.testing.assert_allclose(
                ops.convert_to_numpy(actual)[:, 0], previous, atol=1e-5
            )
        np.testing.assert_allclose(
            ops.convert_to_numpy(context)[:, 0],
            np.einsum("bt,btd->bd", previous, VALUE),
            atol=1e-5,
        )


def test_first_state():
    np.testing.assert_array_equal(
        ops.convert_to_numpy(MonotonicNormalizer().first_state(VALUE)),
        [[1, 0, 0, 0, 0]] * 2,
    )


def test_modes_of_training_and_inference():
    normalizer = MonotonicNormalizer("recursive", "hard")
    energies = ops.array([[[-0.1, 0.2, 0.3]]])
    soft = ops.convert_to_numpy(normalizer(energies, training=True))
    assert 0 < soft.min() and soft.sum() < 1
    np.testing.assert_array_equal(
        ops.convert_to_numpy(normalizer(energies)), [[[0, 1, 0]]]
    )
    same = MonotonicNormalizer("recursive")(energies)
    np.testing.assert_array_equal(ops.convert_to_numpy(same), soft)


def test_noise():
    assert MonotonicNormalizer().draw_noise((2, 3, 5)) is None
    normalizer = MonotonicNormalizer("hard", noise=3.0)
    noise = ops.convert_to_numpy(normalizer.draw_noise((20, 30, 50)))
    assert noise.shape == (20, 30, 50)
    np.testing.assert_allclose(noise.mean(), 0.0, atol=0.1)
    np.testing.assert_allclose(noise.std(), 3.0, atol=0.1)
    assert not np.array_equal(
        noise, ops.convert_to_numpy(normalizer.draw_noise((20, 30, 50)))
    )
    energies = ops.array([[[-1.0, -1.0, 1.0]]])
    noise = ops.array([[[0.5, 2.0, 0.0]]])
    for training, expected in ((True, [0, 1, 0]), (False, [0, 0, 1])):
        weights = normalizer(energies, noise=noise, training=training)
        np.testing.assert_array_equal(
            ops.convert_to_numpy(weights)[0, 0], expected
        )


def test_the_bias_is_learned():
    normalizer = MonotonicNormalizer(bias=-4.0)
    normalizer.build((None, None, None))
    (bias,) = normalizer.trainable_variables
    assert ops.convert_to_numpy(bias) == -4.0


@pytest.mark.parametrize("mode", MODES)
def test_half_precision(half_precision, mode):
    energies = ops.array([[[6e4, -6e4, 6e4]], [[1.0, 2.0, 3.0]]])
    mask = ops.array([[False, True, True], [False, False, False]])
    weights = MonotonicNormalizer(mode)(energies, mask)
    np.testing.assert_array_equal(
        ops.convert_to_numpy(ops.cast(weights, "float32")),
        [[[0.0, 0.0, 1.0]], [[0.0, 0.0, 0.0]]],
    )


@pytest.mark.parametrize(
    "kwargs, message",
    [
        ({"mode": "soft"}, "`mode`.*'hard', 'parallel', 'recursive'.*'soft'"),
        ({"inference_mode": 1}, "`inference_mode`.*inference_mode=1"),
        ({"noise": -1.0}, "`noise`.*at least 0.0.*noise=-1.0"),
        ({"bias": float("nan")}, "`bias`.*finite number.*bias=nan"),
        ({"bias": "-4"}, "`bias`.*bias='-4'"),
    ],
)
def test_errors(kwargs, message):
    with pytest.raises(ValueError, match=message):
        MonotonicNormalizer(**kwargs)
