import numpy as np
from keras import ops

from keras_seq2seq.layers import SoftmaxNormalizer
from keras_seq2seq.testing import run_normalizer_test


def test_battery():
    run_normalizer_test(SoftmaxNormalizer())
    # Half precision ends at 65504.
    run_normalizer_test(SoftmaxNormalizer(temperature=0.5))


def test_by_hand():
    energies = ops.log(ops.array([[[1.0, 3.0, 4.0]], [[1.0, 1.0, 1.0]]]))
    mask = ops.array([[True, True, False], [False, False, False]])
    np.testing.assert_allclose(
        ops.convert_to_numpy(SoftmaxNormalizer()(energies, mask)),
        [[[0.25, 0.75, 0.0]], [[0.0, 0.0, 0.0]]],
        atol=1e-6,
    )
    np.testing.assert_allclose(
        ops.convert_to_numpy(SoftmaxNormalizer()(energies))[0, 0],
        [0.125, 0.375, 0.5],
        atol=1e-6,
    )
