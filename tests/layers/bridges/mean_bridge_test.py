import numpy as np
import pytest
from keras import ops

from keras_seq2seq.layers import MeanBridge
from keras_seq2seq.testing import run_bridge_test
from tests.helpers.numpy_cells import randomize

MEMORY = np.random.default_rng(0).normal(size=(3, 5, 2)).astype("float32")
LENGTHS = [5, 2, 0]
MASK = np.arange(5) < np.array(LENGTHS)[:, None]


def test_battery():
    run_bridge_test(MeanBridge(activation="relu"), state_size=[3, [5]])


@pytest.mark.parametrize("masked", [True, False])
def test_against_numpy(masked):
    bridge = MeanBridge()
    bridge.build({"forward": [(None, 9)]}, [4, [5]], memory_shape=MEMORY.shape)
    randomize(bridge)
    memory = np.where(MASK[..., None], MEMORY, np.float32(1e3))
    mask = ops.array(MASK) if masked else None
    a, (b,) = bridge({"forward": [np.ones((3, 9))]}, memory, memory_mask=mask)
    means = [
        x[: length if masked else 5].mean(axis=0) if length else np.zeros(2)
        for x, length in zip(memory, LENGTHS)
    ]
    if not masked:
        means = memory.mean(axis=1)
    for actual, projection in zip((a, b), bridge.projections):
        kernel, bias = projection.get_weights()
        np.testing.assert_allclose(
            ops.convert_to_numpy(actual),
            np.tanh(means @ kernel + bias),
            atol=1e-5,
        )


def test_errors():
    with pytest.raises(ValueError, match="memory_shape=None"):
        MeanBridge().build({}, 4)
