import keras
import numpy as np
import pytest
from keras import ops

from keras_seq2seq.layers import LearnedPosition
from keras_seq2seq.layers import TransformerBlock
from keras_seq2seq.layers import TransformerEncoder
from keras_seq2seq.testing import assert_close
from keras_seq2seq.testing import run_serialization_test
from tests.helpers.numpy_cells import randomize

RNG = np.random.default_rng(0)
INPUTS = RNG.normal(size=(3, 5, 4)).astype("float32")
MASK = np.array([[1, 1, 1, 1, 1], [1, 1, 0, 0, 0], [0, 0, 0, 0, 0]], bool)


def built(**kwargs):
    encoder = TransformerEncoder(TransformerBlock(2, 6), 2, **kwargs)
    encoder.build(INPUTS.shape)
    randomize(encoder)
    return encoder


def test_battery():
    block = TransformerBlock(2, 6, activation="gelu", dropout=0.1)
    encoder = TransformerEncoder(
        block, 3, position="rotary", scale_inputs=True, dropout=0.1
    )
    revived = run_serialization_test(encoder)
    assert len(revived.blocks) == 3
    assert revived.blocks[2].activation is keras.activations.gelu


@pytest.mark.parametrize(
    "position", ["sinusoidal", "learned", "rotary", "relative"]
)
def test_masked_places_are_invisible(position):
    encoder = built(position=position)
    memory, states = encoder(INPUTS, mask=ops.array(MASK))
    assert states == {}
    noise = np.where(MASK[..., None], INPUTS, 100 * INPUTS + 7)
    wide = np.pad(noise, ((0, 0), (0, 3), (0, 0)), constant_values=5)
    mask = ops.array(np.pad(MASK, ((0, 0), (0, 3))))
    other, _ = encoder(wide, mask=mask)
    memory, other = (ops.convert_to_numpy(x) for x in (memory, other))
    assert_close(other[:, :5][MASK], memory[MASK])
    alone, _ = encoder(INPUTS[1:2, :2])
    assert_close(alone, memory[1:2, :2])


def test_order_matters_only_with_positions():
    encoder = built()
    turned = ops.convert_to_numpy(encoder(INPUTS[:, ::-1])[0])[:, ::-1]
    memory = ops.convert_to_numpy(encoder(INPUTS)[0])
    assert not np.allclose(turned, memory, atol=1e-3)
    encoder = built(position=LearnedPosition(9))
    encoder.position.table.assign(np.zeros((9, 4)))
    turned = ops.convert_to_numpy(encoder(INPUTS[:, ::-1])[0])[:, ::-1]
    assert_close(turned.copy(), encoder(INPUTS)[0])


def test_without_positions():
    """A permutation of the source permutes the memory, and does no more."""
    encoder = built(position=None)
    order = [3, 0, 4, 2, 1]
    memory = ops.convert_to_numpy(encoder(INPUTS)[0])
    assert_close(encoder(INPUTS[:, order])[0], memory[:, order])
    run_serialization_test(
        TransformerEncoder(TransformerBlock(2, 6), 1, position=None)
    )


def test_scaled_inputs():
    plain, scaling = built(), built(scale_inputs=True)
    # The width is 4, its root 2.
    assert_close(scaling(INPUTS)[0], plain(2 * INPUTS)[0])


@pytest.mark.parametrize("position", ["sinusoidal", "relative"])
def test_half_precision(half_precision, position):
    encoder = TransformerEncoder(TransformerBlock(2, 6), 2, position=position)
    memory, _ = encoder(INPUTS, mask=ops.array(MASK))
    assert keras.backend.standardize_dtype(memory.dtype) in half_precision
    memory = ops.convert_to_numpy(ops.cast(memory, "float32"))
    assert np.isfinite(memory).all()


def test_errors():
    with pytest.raises(TypeError, match="`block` must be a `TransformerBlock`"):
        TransformerEncoder(keras.layers.GRUCell(4))
    block = TransformerBlock(2)
    with pytest.raises(ValueError, match="`num_layers`.*num_layers=0"):
        TransformerEncoder(block, 0)
    with pytest.raises(ValueError, match="`position`.*rotary.*position='none'"):
        TransformerEncoder(block, position="none")
    encoder = TransformerEncoder(block, position=LearnedPosition(4))
    with pytest.raises(ValueError, match="max_length=4.*: length=5"):
        encoder(INPUTS)
    with pytest.raises(ValueError, match="width of the query, 4.*num_heads=3"):
        TransformerEncoder(TransformerBlock(3))(INPUTS)
