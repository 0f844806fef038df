import keras
import numpy as np
import pytest
from keras import ops

from keras_seq2seq.layers import PrefixDecoder
from keras_seq2seq.layers import RelativePosition
from keras_seq2seq.layers import TransformerBlock
from keras_seq2seq.layers import TransformerDecoder
from keras_seq2seq.layers import TransformerEncoder
from keras_seq2seq.layers.transformer.relative_position import (
    bucket_by_distance,
)
from keras_seq2seq.testing import assert_close
from keras_seq2seq.testing import run_serialization_test
from tests.helpers import numpy_transformer
from tests.helpers.gradients import numerical_gradient
from tests.helpers.numpy_cells import randomize

RNG = np.random.default_rng(0)
SOURCE = RNG.normal(size=(2, 7, 4)).astype("float32")
TARGET = RNG.normal(size=(2, 6, 4)).astype("float32")
SIZES = {"num_buckets": 6, "max_distance": 5}  # farther ones share a bucket


def bucket(distance, num_buckets, max_distance, is_causal):
    """From the description of T5, in whole numbers.

    The bucket `i` after the exact ones begins at
    `exact * (max_distance / exact) ** (i / others)`.
    """
    if not is_causal:
        half = num_buckets // 2
        offset = half if distance < 0 else 0
        return offset + bucket(abs(distance), half, max_distance, True)
    distance, exact = max(distance, 0), num_buckets // 2
    if distance < exact:
        return distance
    others = num_buckets - exact
    i = others - 1
    while max_distance**i * exact ** (others - i) > distance**others:
        i -= 1
    return exact + i


def biases(table, query_places, key_places, is_causal):
    """`(num_heads, Tq, Tk)`; minus infinity where there is no look."""
    found = np.zeros((table.shape[1], len(query_places), len(key_places)))
    for q, query in enumerate(query_places):
        for k, key in enumerate(key_places):
            place = bucket(query - key, *SIZES.values(), is_causal)
            found[:, q, k] = table[place]
            if is_causal and key > query:
                found[:, q, k] = -np.inf
    return found


def built(cls, *shapes, **kwargs):
    """Two blocks of two heads, with biases that matter."""
    position = RelativePosition(**SIZES)
    stack = cls(TransformerBlock(2, 5), 2, position=position, **kwargs)
    stack.build(*shapes)
    randomize(stack)
    position.table.assign(2 * RNG.normal(size=(6, 2)))
    return stack, position.get_weights()[0].astype("float64")


@pytest.mark.parametrize("is_causal", [True, False])
@pytest.mark.parametrize(
    "sizes", [(32, 128), (4, 3), (6, 50), (8, 20), (64, 1000)], ids=str
)
def test_buckets(sizes, is_causal):
    most = sizes[1]
    found = bucket_by_distance(*sizes, is_causal)
    expected = [bucket(d, *sizes, is_causal) for d in range(-most, most + 1)]
    assert found.tolist() == expected
    # What is farther has the bucket of the greatest distance.
    assert bucket(7 * most, *sizes, is_causal) == expected[-1]
    assert expected[-1] == (sizes[0] if is_causal else sizes[0] // 2) - 1


def test_buckets_by_hand():
    """8 exact ones, then from `8 * 2 ** (i / 2)` on: 8, 11.3, 16, 22.6 .."""
    first = [*range(8), 8, 12, 16, 23, 32, 46, 64, 91]
    found = bucket_by_distance(32, 128, is_causal=False)[128:]
    starts = [int(np.argmax(found == i)) for i in range(16)]
    assert starts == first and found.max() == 15


@pytest.mark.parametrize("is_causal", [True, False])
def test_biases(is_causal):
    position = RelativePosition(**SIZES)
    position.build_for((None, None, 8), num_heads=3)
    table = position.get_weights()[0]
    assert table.shape == (6, 3)
    for first in (0, 4, ops.array(4, "int32")):
        found = position.bias(3, 20, first, is_causal=is_causal)
        assert tuple(found.shape) == (3, 3, 20)
        start = int(ops.convert_to_numpy(first))
        expected = biases(table, range(start, start + 3), range(20), is_causal)
        seen = np.isfinite(expected)
        found = ops.convert_to_numpy(found)
        np.testing.assert_array_equal(
            found[seen], expected.astype("float32")[seen]
        )
    rows = position.bias(3, 20, ops.array([9, 4]), is_causal=is_causal)
    assert tuple(rows.shape) == (2, 3, 3, 20)
    np.testing.assert_array_equal(ops.convert_to_numpy(rows)[1], found)


def test_encoder_against_numpy():
    encoder, table = built(TransformerEncoder, SOURCE.shape)
    lengths = [7, 4]
    mask = np.arange(7) < np.array(lengths)[:, None]
    memory = ops.convert_to_numpy(encoder(SOURCE, mask=ops.array(mask))[0])
    for row, n in enumerate(lengths):
        x = SOURCE[row, :n].astype("float64")
        for block in encoder.blocks:
            x = numpy_transformer.block(
                block, x, biases(table, range(n), range(n), False)
            )
        np.testing.assert_allclose(memory[row, :n], x, atol=1e-4)


def test_decoder_against_numpy():
    """No bias goes to the memory."""
    decoder, table = built(TransformerDecoder, TARGET.shape, SOURCE.shape)
    outputs = ops.convert_to_numpy(decoder(TARGET, SOURCE))
    bias = biases(table, range(6), range(6), True)
    for row in range(2):
        x = TARGET[row].astype("float64")
        for block in decoder.blocks:
            memory = SOURCE[row].astype("float64")
            x = numpy_transformer.block(block, x, bias, memory)
        np.testing.assert_allclose(outputs[row], x, atol=1e-4)


@pytest.mark.parametrize("causal", [True, False])
def test_single_model_against_numpy(causal):
    """Distances to the source count from its last real place."""
    decoder, table = built(
        PrefixDecoder, TARGET.shape, SOURCE.shape, causal_source=causal
    )
    lengths = [7, 3]
    mask = ops.array(np.arange(7) < np.array(lengths)[:, None])
    outputs = ops.convert_to_numpy(decoder(TARGET, SOURCE, memory_mask=mask))
    for row, n in enumerate(lengths):
        x = np.concatenate([SOURCE[row, :n], TARGET[row]]).astype("float64")
        bias = biases(table, range(len(x)), range(len(x)), causal)
        if not causal:  # the source sees itself whole, and no target
            for query in range(len(x)):
                bias[:, query, max(n, query + 1) :] = -np.inf
        for block in decoder.blocks:
            x = numpy_transformer.block(block, x, bias)
        np.testing.assert_allclose(outputs[row], x[n:], atol=1e-4)


def test_gradient_of_the_table():
    """Both blocks share it: against differences of the NumPy encoder."""
    encoder, table = built(TransformerEncoder, SOURCE.shape)
    weights = 100 * RNG.normal(size=SOURCE.shape).astype("float32")

    def total(table):
        bias = biases(table, range(7), range(7), False)
        xs = SOURCE.astype("float64")
        for block in encoder.blocks:
            xs = [numpy_transformer.block(block, x, bias) for x in xs]
        return (np.stack(xs) * weights).sum()

    expected = numerical_gradient(total, table)
    inputs = keras.Input((7, 4))
    model = keras.Model(inputs, encoder(inputs)[0])
    model.compile(
        keras.optimizers.SGD(1.0),
        loss=lambda y, x: len(SOURCE) * ops.sum(y * x, axis=(1, 2)),
    )
    model.train_on_batch(SOURCE, weights)
    found = table - ops.convert_to_numpy(encoder.position.table)
    np.testing.assert_allclose(found, expected, atol=1e-3)
    # No key behind a query is at the distance 0, of bucket 3.
    assert not expected[3].any()
    assert np.abs(np.delete(expected, 3, axis=0)).min() > 0.05


def test_one_bias_for_all_heads():
    alone = RelativePosition()
    assert_close(alone(SOURCE), SOURCE, tolerance=0)
    assert alone.get_weights()[0].shape == (32, 1)
    shared = RelativePosition(num_heads=1)
    stack = TransformerEncoder(TransformerBlock(2), 1, position=shared)
    stack(SOURCE)
    assert shared.get_weights()[0].shape == (32, 1)


def test_serialization(tmp_path):
    run_serialization_test(RelativePosition(8, 20, num_heads=3))
    encoder, _ = built(TransformerEncoder, SOURCE.shape)
    assert run_serialization_test(encoder).position.num_buckets == 6
    inputs = keras.Input((7, 4))
    model = keras.Model(inputs, encoder(inputs)[0])
    model.save(tmp_path / "model.keras")
    loaded = keras.saving.load_model(tmp_path / "model.keras")
    assert_close(loaded(SOURCE), model(SOURCE), tolerance=0)


def test_errors():
    with pytest.raises(ValueError, match="even.*num_buckets=5"):
        RelativePosition(num_buckets=5)
    with pytest.raises(ValueError, match="`num_buckets`.*num_buckets=2"):
        RelativePosition(num_buckets=2)
    with pytest.raises(ValueError, match="half of it.*max_distance=16"):
        RelativePosition(max_distance=16)
    position = RelativePosition()
    TransformerEncoder(TransformerBlock(2), 1, position=position)(SOURCE)
    other = TransformerEncoder(TransformerBlock(4), 1, position=position)
    with pytest.raises(ValueError, match="blocks, 4.*num_heads=2"):
        other(SOURCE)
