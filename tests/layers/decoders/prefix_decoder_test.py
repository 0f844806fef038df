import numpy as np
import pytest
from keras import ops

from keras_seq2seq.layers import LearnedPosition
from keras_seq2seq.layers import PrefixDecoder
from keras_seq2seq.layers import TransformerBlock
from keras_seq2seq.ops import causal_mask
from keras_seq2seq.ops import repeat_rows
from keras_seq2seq.testing import assert_close
from keras_seq2seq.testing import run_serialization_test
from tests.helpers.numpy_cells import randomize

RNG = np.random.default_rng(0)
TARGET = RNG.normal(size=(2, 4, 4)).astype("float32")
SOURCE = RNG.normal(size=(2, 5, 4)).astype("float32")
LENGTHS = np.array([5, 2])
MASK = np.arange(5) < LENGTHS[:, None]
BEAMS = 3


def built(position="sinusoidal", **kwargs):
    decoder = PrefixDecoder(
        TransformerBlock(2, 6), 2, position=position, **kwargs
    )
    decoder.build(TARGET.shape, SOURCE.shape)
    randomize(decoder)
    return decoder


def one_sequence(decoder, row, causal):
    """Outputs of the target's places, source and target through the blocks."""
    n = LENGTHS[row]
    x = np.concatenate([SOURCE[row, :n], TARGET[row]])[None]
    seen = ops.convert_to_numpy(causal_mask(*[len(x[0])] * 2))[0]
    if not causal:
        seen = seen.copy()
        seen[:n, :n] = True
    bias = decoder.bias(len(x[0]), len(x[0]))
    x, rotation = decoder.enter(ops.array(x))
    for block in decoder.blocks:
        x, _, scores = block(
            x, seen=ops.array(seen), rotation=rotation, bias=bias
        )
    scores = ops.convert_to_numpy(scores["self"])[0, :, n:, :n].mean(axis=0)
    return ops.convert_to_numpy(x)[0, n:], scores


@pytest.mark.parametrize(
    "position", ["sinusoidal", "learned", "rotary", "relative"]
)
@pytest.mark.parametrize("causal", [True, False])
def test_source_and_target_are_one_sequence(position, causal):
    decoder = built(position, causal_source=causal)
    memory, states = decoder.initialize(
        ops.array(SOURCE), memory_mask=ops.array(MASK)
    )
    outputs, scores = (
        ops.convert_to_numpy(x)
        for x in decoder.decode_sequence(
            ops.array(TARGET), states, memory, return_attention_scores=True
        )
    )
    for row in range(2):
        expected, shares = one_sequence(decoder, row, causal)
        assert_close(outputs[row], expected)
        shares = shares / shares.sum(-1, keepdims=True)
        assert_close(scores[row, :, : LENGTHS[row]], shares)
    assert not scores[1, :, 2:].any()
    called = decoder(TARGET, SOURCE, memory_mask=ops.array(MASK))
    assert_close(called, outputs)


@pytest.mark.parametrize("position", ["rotary", "relative"])
def test_steps_of_beams_on_one_source(position):
    decoder = built(position)
    memory, states = decoder.initialize(
        ops.array(SOURCE),
        memory_mask=ops.array(MASK),
        max_length=4,
        num_beams=BEAMS,
    )
    assert memory["blocks"][0]["keys"].shape == (2, 2, 2, 5)
    inputs = RNG.normal(size=(2 * BEAMS, 4, 4)).astype("float32")
    states = repeat_rows(states, BEAMS)
    outputs = decoder.decode_sequence(ops.array(inputs), states, memory)
    many = np.repeat(SOURCE, BEAMS, axis=0), np.repeat(MASK, BEAMS, axis=0)
    expected = decoder(inputs, many[0], memory_mask=ops.array(many[1]))
    assert_close(outputs, expected)
    for t in range(4):
        step, states, memory, _ = decoder.step(
            ops.array(inputs[:, t]), states, memory, ops.array(t)
        )
        assert_close(step, outputs[:, t])


def test_an_empty_source():
    decoder = built()
    nothing = ops.zeros((2, 5), "bool")
    outputs = decoder(TARGET, SOURCE, memory_mask=nothing)
    x, _ = decoder.enter(ops.array(TARGET))
    for block in decoder.blocks:
        x, _, _ = block(x, seen=causal_mask(4, 4))
    assert_close(outputs, x)


@pytest.mark.parametrize("position", ["sinusoidal", "relative"])
def test_half_precision(half_precision, position):
    decoder = PrefixDecoder(TransformerBlock(2, 6), 2, position=position)
    outputs = decoder(TARGET, SOURCE, memory_mask=ops.zeros((2, 5), "bool"))
    outputs = ops.convert_to_numpy(ops.cast(outputs, "float32"))
    assert np.isfinite(outputs).all()


def test_dropout_reaches_the_source():
    decoder = built(dropout=0.5)
    decoder.dropout_layer.rate = 0.0
    quiet = decoder(TARGET, SOURCE, training=True)
    assert_close(quiet, decoder(TARGET, SOURCE))
    decoder = built(dropout=0.5)
    memory, _ = decoder.initialize(ops.array(SOURCE))
    noisy, _ = decoder.initialize(ops.array(SOURCE), training=True)
    assert not np.allclose(
        ops.convert_to_numpy(noisy["blocks"][0]["keys"]),
        ops.convert_to_numpy(memory["blocks"][0]["keys"]),
        atol=1e-3,
    )


def test_serialization_and_errors():
    decoder = PrefixDecoder(
        TransformerBlock(2, 6),
        2,
        causal_source=False,
        position=LearnedPosition(8),
        dropout=0.1,
    )
    run_serialization_test(decoder)
    with pytest.raises(ValueError, match="max_length=8.*: length=9"):
        decoder(TARGET, SOURCE)
    memory, _ = decoder.initialize(ops.array(SOURCE))
    with pytest.raises(ValueError, match="needs a cache.*max_length="):
        decoder.step(ops.array(TARGET[:, 0]), {}, memory, 0)
    with pytest.raises(ValueError, match="width 4, memory of width 6"):
        PrefixDecoder(TransformerBlock(2))(TARGET, np.ones((2, 5, 6)))


@pytest.mark.parametrize("position", ["rotary", "relative"])
@pytest.mark.parametrize("causal", [True, False])
def test_positions_run_on_from_the_last_real_token(position, causal):
    """Where distances alone count, padding in front changes nothing."""
    decoder = built(position, causal_source=causal)
    target, source = ops.array(TARGET[1:]), ops.array(SOURCE[1:, :2])
    expected = decoder(target, source)
    shifted = ops.pad(source, ((0, 0), (3, 0), (0, 0)), constant_values=9.0)
    mask = np.array([[False, False, False, True, True]])
    assert_close(decoder(target, shifted, memory_mask=mask), expected)


@pytest.mark.parametrize("dtype", ["int32", "float32"])
def test_masks_of_numbers(dtype):
    decoder = built(causal_source=True)
    expected = decoder(TARGET, SOURCE, memory_mask=MASK)
    mask = 2 * MASK.astype(dtype)
    assert_close(decoder(TARGET, SOURCE, memory_mask=mask), expected)
