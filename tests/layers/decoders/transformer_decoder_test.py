import keras
import numpy as np
import pytest
from keras import ops

from keras_seq2seq.layers import LearnedPosition
from keras_seq2seq.layers import TransformerBlock
from keras_seq2seq.layers import TransformerDecoder
from keras_seq2seq.ops import repeat_rows
from keras_seq2seq.ops import select_rows
from keras_seq2seq.testing import assert_close
from keras_seq2seq.testing import run_serialization_test
from tests.helpers.numpy_cells import randomize

RNG = np.random.default_rng(0)
BEAMS = 3
INPUTS = RNG.normal(size=(2, 200, 4)).astype("float32")
VALUE = RNG.normal(size=(2, 5, 6)).astype("float32")
MASK = np.array([[1, 1, 1, 1, 1], [1, 1, 0, 0, 0]], bool)


def built(block=None, **kwargs):
    block = TransformerBlock(2, 6) if block is None else block
    decoder = TransformerDecoder(block, 2, **kwargs)
    decoder.build(INPUTS.shape, VALUE.shape)
    randomize(decoder)
    return decoder


def compiled(function):
    """The function, as a graph where a loop would run op by op."""
    if keras.backend.backend() != "tensorflow":
        return function
    import tensorflow as tf

    return tf.function(function, autograph=False)


def walk(decoder, inputs, states, cache):
    """Outputs of all steps, from a compiled loop, and the last cache."""
    places, rows, width = inputs.shape[1], inputs.shape[0], inputs.shape[2]
    by_time = ops.transpose(ops.array(inputs), (1, 0, 2))

    def step(index, states, cache, outputs):
        output, states, cache, _ = decoder.step(
            by_time[index], states, cache, index
        )
        here = ops.reshape(ops.arange(places) == index, (-1, 1, 1))
        return index + 1, states, cache, ops.where(here, output, outputs)

    @compiled
    def loop(states, cache):
        return ops.while_loop(
            lambda index, *_: index < places,
            step,
            (ops.array(0), states, cache, ops.zeros((places, rows, width))),
        )

    _, _, cache, outputs = loop(states, cache)
    return ops.transpose(outputs, (1, 0, 2)), cache


@pytest.mark.parametrize(
    "position, first, length",
    [
        ("sinusoidal", False, 200),
        ("learned", True, 50),
        ("rotary", False, 50),
        ("relative", False, 50),
    ],
)
def test_steps_equal_the_sequence(position, first, length):
    block = TransformerBlock(2, 6, normalize_first=first, dropout=0.2)
    decoder = built(block, position=position, dropout=0.2)
    inputs, mask = INPUTS[:, :length], ops.array(MASK)
    memory, states = decoder.initialize(
        ops.array(VALUE), memory_mask=mask, max_length=length + 3
    )
    outputs, memory = walk(decoder, inputs, states, memory)
    # A prefix's outputs are those of the whole: every length at once.
    assert_close(outputs, decoder(inputs, VALUE, memory_mask=mask))
    for part in (1, 7):
        short = decoder(inputs[:, :part], VALUE, memory_mask=mask)
        assert_close(outputs[:, :part], short)
    keys = ops.convert_to_numpy(memory["written"][0]["keys"])
    assert keys.shape == (2, 2, 2, length + 3) and not keys[..., length:].any()


@pytest.mark.parametrize("position", ["sinusoidal", "relative"])
def test_beams_are_queries_on_one_memory(position):
    decoder = built(position=position)
    inputs = RNG.normal(size=(2 * BEAMS, 4, 4)).astype("float32")
    memory, states = decoder.initialize(
        ops.array(VALUE),
        memory_mask=ops.array(MASK),
        max_length=4,
        num_beams=BEAMS,
    )
    assert memory["blocks"][0]["keys"].shape == (2, 2, 2, 5)
    states = repeat_rows(states, BEAMS)
    outputs, scores = decoder.decode_sequence(
        ops.array(inputs), states, memory, return_attention_scores=True
    )
    steps, _ = walk(decoder, inputs, states, memory)
    assert_close(steps, outputs)
    many = np.repeat(VALUE, BEAMS, axis=0), np.repeat(MASK, BEAMS, axis=0)
    expected = decoder(inputs, many[0], memory_mask=ops.array(many[1]))
    assert_close(outputs, expected)
    scores = ops.convert_to_numpy(scores)
    assert_close(scores.sum(-1), np.ones((2 * BEAMS, 4), "float32"))
    assert not scores[BEAMS:, :, 2:].any()
    # Row by row, as if each beam were a source of its own.
    alone, states = decoder.initialize(
        ops.array(many[0]), memory_mask=ops.array(many[1])
    )
    assert states == {}
    _, expected = decoder.decode_sequence(
        ops.array(inputs), states, alone, return_attention_scores=True
    )
    assert_close(scores, expected)


@pytest.mark.parametrize("position", ["sinusoidal", "relative"])
def test_a_history_is_that_of_the_ancestors(position):
    """Beams that change places between steps, against whole sequences."""
    decoder = built(position=position)
    steps, rows = 5, 2 * BEAMS
    inputs = RNG.normal(size=(steps, rows, 4)).astype("float32")
    memory, states = decoder.initialize(
        ops.array(VALUE), max_length=steps, num_beams=BEAMS
    )
    states = repeat_rows(states, BEAMS)
    many = np.repeat(VALUE, BEAMS, axis=0)
    read = np.zeros((rows, 0, 4), "float32")
    for t in range(steps):
        caches = memory["written"]
        output, states, memory, _ = decoder.step(
            ops.array(inputs[t]), states, memory, ops.array(t)
        )
        read = np.concatenate([read, inputs[t][:, None]], axis=1)
        assert_close(output, decoder(read, many)[:, -1])
        parents = RNG.integers(BEAMS, size=(2, BEAMS))
        states = select_rows(states, ops.array(parents, "int32"), BEAMS)
        read = read.reshape(2, BEAMS, t + 1, 4)
        read = np.take_along_axis(read, parents[:, :, None, None], axis=1)
        read = read.reshape(rows, t + 1, 4)
    # Nothing that was written before moves.
    for before, after in zip(caches, memory["written"]):
        written = steps * BEAMS - BEAMS
        for name, x in before.items():
            np.testing.assert_array_equal(
                _places(after[name], name)[:, :, :written],
                _places(x, name)[:, :, :written],
            )


def _places(x, name):
    x = ops.convert_to_numpy(x)
    return x.swapaxes(2, 3) if name == "keys" else x


@pytest.mark.parametrize("position", ["sinusoidal", "relative"])
def test_no_future(position):
    decoder = built(position=position)
    inputs = INPUTS[:, :5].copy()
    before = ops.convert_to_numpy(decoder(inputs, VALUE))
    inputs[:, 3:] *= -1
    after = ops.convert_to_numpy(decoder(inputs, VALUE))
    assert_close(after[:, :3], before[:, :3])
    assert not np.allclose(after[:, 3], before[:, 3])


@pytest.mark.parametrize("position", ["sinusoidal", "relative"])
def test_half_precision(half_precision, position):
    block = TransformerBlock(2, 6)
    decoder = TransformerDecoder(block, 2, position=position)
    nothing = ops.zeros((2, 5), "bool")
    outputs = decoder(INPUTS[:, :5], VALUE, memory_mask=nothing)
    memory, states = decoder.initialize(
        ops.cast(VALUE, outputs.dtype), memory_mask=nothing, max_length=2
    )
    step, *_ = decoder.step(
        ops.cast(INPUTS[:, 0], outputs.dtype), states, memory, 0
    )
    for x in (outputs, step):
        assert np.isfinite(ops.convert_to_numpy(ops.cast(x, "float32"))).all()


def test_serialization_and_errors():
    block = TransformerBlock(2, 6, normalize_first=True)
    decoder = TransformerDecoder(
        block, 2, position=LearnedPosition(9), scale_inputs=True, dropout=0.1
    )
    revived = run_serialization_test(decoder)
    assert revived.position.max_length == 9
    decoder.build(INPUTS.shape, VALUE.shape)
    with pytest.raises(ValueError, match="max_length=9.*: length=10"):
        decoder.initialize(ops.array(VALUE), max_length=10)
    memory, states = decoder.initialize(ops.array(VALUE))
    with pytest.raises(ValueError, match="needs a cache.*max_length="):
        decoder.step(ops.array(INPUTS[:, 0]), states, memory, 0)
    memory, states = decoder.initialize(ops.array(VALUE), max_length=2)
    rows = ops.zeros((6, 4))
    with pytest.raises(ValueError, match="1 beams of 2 sources.*of 6 rows"):
        decoder.step(rows, repeat_rows(states, 3), memory, 0)
    memory, states = decoder.initialize(
        ops.array(VALUE), max_length=2, num_beams=3
    )
    with pytest.raises(ValueError, match="of 6 rows, states of 2.*repeat_rows"):
        decoder.step(rows, states, memory, 0)
    with pytest.raises(ValueError, match="`num_beams`.*0"):
        decoder.initialize(ops.array(VALUE), max_length=2, num_beams=0)
    with pytest.raises(ValueError, match="`max_length`.*0"):
        decoder.initialize(ops.array(VALUE), max_length=0)
