import keras
import numpy as np
from keras import ops

from keras_seq2seq.layers import AttentionMechanism
from keras_seq2seq.layers import BahdanauCell
from keras_seq2seq.layers import CoverageScore
from keras_seq2seq.layers import HardNormalizer
from keras_seq2seq.layers import LuongCell
from keras_seq2seq.testing import run_cell_test
from keras_seq2seq.testing import run_normalizer_test
from tests.helpers.gradients import gradient

ENERGIES = np.array([[[0.1, 0.3, -1.0, 9.0]], [[1.0] * 4]], "float32")
MASK = np.array([[True, True, True, False], [False] * 4])
PROBABILITIES = np.exp(ENERGIES[0, 0, :3])
PROBABILITIES = PROBABILITIES / PROBABILITIES.sum()


def test_battery():
    run_normalizer_test(HardNormalizer())
    for kind in (BahdanauCell, LuongCell):
        attention = AttentionMechanism("additive", "hard")
        run_cell_test(kind(keras.layers.GRUCell(4), attention))


def test_inference():
    normalizer = HardNormalizer()
    noise = normalizer.draw_noise(ENERGIES.shape)
    for options in ({}, {"training": True}, {"noise": 9.0 * noise}):
        weights = normalizer(ops.array(ENERGIES), ops.array(MASK), **options)
        np.testing.assert_array_equal(
            ops.convert_to_numpy(weights), [[[0, 1, 0, 0]], [[0, 0, 0, 0]]]
        )


def test_training_draws_from_the_softmax():
    # 20 000 draws: three standard deviations are at most 0.011.
    normalizer = HardNormalizer()
    energies = np.repeat(ENERGIES, 20_000, axis=1)
    noise = normalizer.draw_noise(energies.shape)
    weights = ops.convert_to_numpy(
        normalizer(
            ops.array(energies), ops.array(MASK), noise=noise, training=True
        )
    )
    assert set(np.unique(weights)) == {0.0, 1.0}
    np.testing.assert_array_equal(weights[0].sum(-1), 1.0)
    np.testing.assert_allclose(
        weights[0].mean(0), [*PROBABILITIES, 0.0], atol=0.011
    )
    assert not weights[1].any()


def test_the_context_has_no_gradient():
    normalizer = HardNormalizer()

    def seen(energies):
        weights = normalizer(energies, ops.array(MASK))
        return ops.sum(normalizer.for_context(weights) * ops.array([1.0] * 4))

    assert not gradient(seen, ENERGIES).any()


def test_states_see_what_the_context_sees():
    # The state of a score must not pass on the gradient of a probability.
    attention = AttentionMechanism(CoverageScore(), HardNormalizer())
    value = np.ones((1, 3, 2), "float32")

    def after_two_steps(query):
        _, _, state = attention(query, value)
        return ops.sum(state["score"] * ops.array([1.0, 2.0, 3.0]))

    query = np.ones((1, 1, 2), "float32")
    attention(query, value)
    assert not gradient(after_two_steps, query).any()


def test_half_precision(half_precision):
    normalizer = HardNormalizer()
    noise = normalizer.draw_noise(ENERGIES.shape)
    assert keras.backend.standardize_dtype(noise.dtype) in half_precision
    weights = normalizer(
        ops.array(ENERGIES), ops.array(MASK), noise=noise, training=True
    )
    weights = ops.convert_to_numpy(ops.cast(weights, "float32"))
    assert weights[0].sum() == weights[0].max() == 1.0
    assert not weights[1].any()
