import keras
import numpy as np
from keras import ops

from keras_seq2seq.layers import AttentionMechanism
from keras_seq2seq.layers import BahdanauCell
from keras_seq2seq.layers import SparsemaxNormalizer
from keras_seq2seq.testing import run_cell_test
from keras_seq2seq.testing import run_normalizer_test


def test_battery():
    run_normalizer_test(SparsemaxNormalizer())
    attention = AttentionMechanism("additive", "sparsemax")
    assert isinstance(attention.normalizer, SparsemaxNormalizer)
    run_cell_test(BahdanauCell(keras.layers.GRUCell(4), attention))


def test_by_hand():
    energies = ops.array([[[0.5, 1.0, -1.0]], [[0.5, 1.0, 7.0]], [[1.0] * 3]])
    mask = ops.array([[True] * 3, [True, True, False], [False] * 3])
    np.testing.assert_allclose(
        ops.convert_to_numpy(SparsemaxNormalizer()(energies, mask)),
        [[[0.25, 0.75, 0.0]], [[0.25, 0.75, 0.0]], [[0.0, 0.0, 0.0]]],
        atol=1e-6,
    )


def test_half_precision(half_precision):
    energies = ops.array([[[6e4, -6e4, 6e4]], [[1.0, 2.0, 3.0]]])
    mask = ops.array([[True, True, False], [False, False, False]])
    weights = SparsemaxNormalizer()(energies, mask)
    np.testing.assert_array_equal(
        ops.convert_to_numpy(ops.cast(weights, "float32")),
        [[[1.0, 0.0, 0.0]], [[0.0, 0.0, 0.0]]],
    )
