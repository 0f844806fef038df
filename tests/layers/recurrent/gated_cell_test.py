"""What all gated cells share: loops, dropout, placements, configs."""

import keras
import numpy as np
import pytest
from keras import ops

from keras_seq2seq.layers import BahdanauCell
from keras_seq2seq.layers import LuongCell
from keras_seq2seq.layers import MUT1Cell
from keras_seq2seq.layers import MUT2Cell
from keras_seq2seq.layers import MUT3Cell
from keras_seq2seq.layers import RecurrentEncoder
from keras_seq2seq.layers import ReducedLSTMCell
from keras_seq2seq.testing import run_cell_test
from keras_seq2seq.testing import run_serialization_test
from tests.helpers.numpy_cells import randomize

RNG = np.random.default_rng(0)
X = RNG.normal(size=(3, 5, 2)).astype("float32")
LENGTHS = [5, 2, 0]
MASK = np.arange(5) < np.array(LENGTHS)[:, None]
MAKERS = {
    "mut1": MUT1Cell,
    "mut2": MUT2Cell,
    "mut3": MUT3Cell,
    **{
        f"lstm_{name[0]}": (
            lambda units, name=name, **kwargs: ReducedLSTMCell(
                units, without=name, **kwargs
            )
        )
        for name in ("input", "forget", "output")
    },
}


@pytest.fixture(params=sorted(MAKERS))
def make(request):
    return MAKERS[request.param]


def test_battery(make):
    revived = run_serialization_test(
        make(
            3,
            activation="relu",
            recurrent_activation="hard_sigmoid",
            kernel_initializer="ones",
            use_bias=False,
            dropout=0.1,
            recurrent_dropout=0.2,
            seed=3,
        )
    )
    assert revived.dropout == 0.1 and revived.recurrent_dropout == 0.2
    assert revived.activation.__name__ == "relu"
    assert revived.recurrent_activation.__name__ == "hard_sigmoid"


@pytest.mark.parametrize("placement", [BahdanauCell, LuongCell])
def test_in_a_decoder_cell(make, placement):
    cell = make(4, dropout=0.3, recurrent_dropout=0.3)
    run_cell_test(placement(cell, score="additive"))


def test_masked_steps_in_an_encoder(make):
    encoder = RecurrentEncoder(make(3), bidirectional=True)
    encoder.build(X.shape)
    randomize(encoder)
    memory, states = encoder(X, mask=ops.array(MASK))
    memory = ops.convert_to_numpy(memory)
    assert not memory[~MASK].any()
    for row, length in enumerate(LENGTHS[:2]):
        alone, own = encoder(X[row : row + 1, :length])
        np.testing.assert_allclose(
            memory[row, :length], ops.convert_to_numpy(alone)[0], atol=1e-5
        )
        for name, together in states.items():
            for a, b in zip(together, own[name]):
                np.testing.assert_allclose(
                    ops.convert_to_numpy(a)[row],
                    ops.convert_to_numpy(b)[0],
                    atol=1e-5,
                )


def test_dropout_is_one_mask_for_all_gates(make):
    cell = make(3, dropout=0.4, recurrent_dropout=0.4, seed=1)
    cell.build((3, 2))
    randomize(cell)
    x = ops.array(X[:, 0])
    states = [
        ops.array(RNG.normal(size=(3, 3)).astype("float32"))
        for _ in cell.get_initial_state(3)
    ]
    quiet, _ = cell(x, states)
    noisy, _ = cell(x, states, training=True)
    again, _ = cell(x, states, training=True)
    quiet, noisy, again = map(ops.convert_to_numpy, (quiet, noisy, again))
    assert not np.allclose(quiet, noisy)
    np.testing.assert_array_equal(again, noisy)
    # Where a weight meets them, input and state are masked; nowhere else.
    for_x, for_h = cell._dropout_mask, cell._recurrent_dropout_mask
    (expected, *_) = cell.update(x * for_x, states[0] * for_h, states)
    np.testing.assert_allclose(noisy, ops.convert_to_numpy(expected), atol=1e-6)
    cell.reset_dropout_mask()
    cell.reset_recurrent_dropout_mask()
    cell(x, states)
    assert cell._dropout_mask is None  # nothing is drawn out of training


@pytest.mark.parametrize("name", ["mut1", "lstm_f"])
def test_dropout_trains_in_a_loop(name):
    cell = MAKERS[name](3, dropout=0.4, recurrent_dropout=0.4)
    model = keras.Sequential(
        [keras.Input((None, 2)), keras.layers.RNN(cell), keras.layers.Dense(1)]
    )
    model.compile(keras.optimizers.SGD(0.0), "mse")
    losses = [float(model.train_on_batch(X, X[:, 0, :1])) for _ in range(3)]
    assert len({round(loss, 5) for loss in losses}) == 3
    assert cell._dropout_mask is None
    assert cell._recurrent_dropout_mask is None
    once, again = model.predict_on_batch(X), model.predict_on_batch(X)
    np.testing.assert_array_equal(once, again)


def test_half_precision(make, half_precision):
    layer = keras.layers.RNN(make(3), return_sequences=True)
    outputs = layer(100 * X)
    assert keras.backend.standardize_dtype(outputs.dtype) in half_precision
    assert np.isfinite(ops.convert_to_numpy(ops.cast(outputs, "float32"))).all()


@pytest.mark.parametrize(
    "name, value",
    [("units", 0), ("units", 2.5), ("dropout", 1.5), ("recurrent_dropout", -1)],
)
def test_errors(make, name, value):
    with pytest.raises(ValueError, match=f"`{name}` must .*={value}"):
        make(**{"units": 3, name: value})
