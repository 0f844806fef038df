import numpy as np
import pytest
from keras import ops

from keras_seq2seq.layers import DenseBridge
from keras_seq2seq.testing import run_bridge_test
from tests.helpers.numpy_cells import randomize

RNG = np.random.default_rng(0)
STATES = {
    "forward": [RNG.normal(size=(2, 3)), RNG.normal(size=(2, 4))],
    "backward": [RNG.normal(size=(2, 3)), RNG.normal(size=(2, 4))],
}
SHAPES = {name: [(None, 3), (None, 4)] for name in STATES}


def test_battery():
    run_bridge_test(DenseBridge(activation="relu"), state_size=[3, [5]])


@pytest.mark.parametrize("activation", ["tanh", "linear"])
def test_against_numpy(activation):
    bridge = DenseBridge(activation)
    bridge.build(SHAPES, state_size=[[5, 2], 3])
    randomize(bridge)
    # Keras flattens dicts in the order of their sorted names.
    x = np.hstack([*STATES["backward"], *STATES["forward"]])
    (a, b), c = bridge(STATES)
    function = np.tanh if activation == "tanh" else np.array
    for actual, projection in zip((a, b, c), bridge.projections):
        kernel, bias = projection.get_weights()
        np.testing.assert_allclose(
            ops.convert_to_numpy(actual), function(x @ kernel + bias), atol=1e-5
        )


def test_a_single_state():
    bridge = DenseBridge()
    bridge.build({"forward": [(None, 3)]}, state_size=4)
    assert tuple(bridge({"forward": [np.ones((2, 3))]}).shape) == (2, 4)


def test_errors():
    with pytest.raises(ValueError, match="nope"):
        DenseBridge(activation="nope")
