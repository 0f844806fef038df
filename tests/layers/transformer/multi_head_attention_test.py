import keras
import numpy as np
import pytest
from keras import ops

from keras_seq2seq.layers import MultiHeadAttention
from keras_seq2seq.testing import assert_close
from keras_seq2seq.testing import run_serialization_test
from tests.helpers.numpy_cells import randomize

RNG = np.random.default_rng(0)
QUERY = RNG.normal(size=(3, 4, 6)).astype("float32")
VALUE = RNG.normal(size=(3, 5, 4)).astype("float32")
# The last source is all padding.
MASK = np.array([[1, 1, 1, 1, 1], [1, 1, 0, 0, 0], [0, 0, 0, 0, 0]], bool)
SEEN = MASK[:, None, None]


def built():
    attention = MultiHeadAttention(num_heads=3, dropout=0.5)
    attention.build(QUERY.shape, VALUE.shape)
    randomize(attention)
    return attention


def by_the_formula(query, value, seen, weights):
    """Output and scores in float64, one head at a time."""
    wq, bq, wv, bv, wo, bo = (w.astype("float64") for w in weights)
    queries, both = query @ wq + bq, value @ wv + bv
    keys, values = both[..., :6], both[..., 6:]
    heads, scores = [], []
    for head in range(3):
        at = slice(2 * head, 2 * head + 2)
        energies = queries[..., at] @ np.swapaxes(keys[..., at], 1, 2)
        weights = np.exp(energies / np.sqrt(2)) * seen[:, 0]
        total = weights.sum(-1, keepdims=True)
        scores.append(weights / np.where(total, total, 1))
        heads.append(scores[-1] @ values[..., at])
    return np.concatenate(heads, -1) @ wo + bo, np.stack(scores, 1)


def test_against_numpy():
    attention = built()
    found = attention(QUERY, VALUE, seen=ops.array(SEEN))
    expected = by_the_formula(QUERY, VALUE, SEEN, attention.get_weights())
    for x, y in zip(found, expected):
        np.testing.assert_allclose(ops.convert_to_numpy(x), y, atol=1e-5)
    projected = attention.project(ops.array(VALUE))
    again = attention(QUERY, projected=projected, seen=ops.array(SEEN))
    assert_close(again[0], found[0], tolerance=0)


def test_without_biases():
    attention = MultiHeadAttention(num_heads=3, use_bias=False)
    attention.build(QUERY.shape, VALUE.shape)
    randomize(attention)
    weights = attention.get_weights()
    assert len(weights) == 3
    weights = [x for w in weights for x in (w, np.zeros(w.shape[1]))]
    found = attention(QUERY, VALUE, seen=ops.array(SEEN))
    for x, y in zip(found, by_the_formula(QUERY, VALUE, SEEN, weights)):
        np.testing.assert_allclose(ops.convert_to_numpy(x), y, atol=1e-5)


def test_what_is_not_seen_has_no_weight():
    attention = built()
    output, scores = attention(QUERY, VALUE, seen=ops.array(SEEN))
    noise = np.where(MASK[..., None], VALUE, 100 * VALUE + 7)
    other, _ = attention(QUERY, noise, seen=ops.array(SEEN))
    assert_close(other, output)
    assert not (ops.convert_to_numpy(scores) * ~SEEN).any()
    # A query that sees nothing: zeros, then the output's bias.
    bias = attention.output_dense.get_weights()[1]
    nothing = np.broadcast_to(bias, (4, 6))
    np.testing.assert_allclose(
        ops.convert_to_numpy(output)[2], nothing, atol=1e-6
    )


def test_half_precision(half_precision):
    attention = MultiHeadAttention(num_heads=3)
    output, scores = attention(100 * QUERY, 100 * VALUE, seen=ops.array(SEEN))
    for x in (output, scores):
        assert np.isfinite(ops.convert_to_numpy(ops.cast(x, "float32"))).all()


def test_dropout_is_for_training():
    attention = built()
    quiet, _ = attention(QUERY, VALUE)
    noisy, _ = attention(QUERY, VALUE, training=True)
    assert not np.allclose(
        ops.convert_to_numpy(noisy), ops.convert_to_numpy(quiet), atol=1e-3
    )


def test_serialization_and_errors():
    run_serialization_test(MultiHeadAttention(num_heads=3, dropout=0.1))
    with pytest.raises(ValueError, match="divide .*, 6. Received: num_heads=4"):
        MultiHeadAttention(num_heads=4)(QUERY, VALUE)
    with pytest.raises(ValueError, match="`num_heads`.*num_heads=0"):
        MultiHeadAttention(num_heads=0)
    with pytest.raises(ValueError, match="`dropout`.*dropout=1"):
        MultiHeadAttention(num_heads=1, dropout=1)


def test_keys_and_values_start_like_layers_of_their_own():
    keras.utils.set_random_seed(1)
    attention = MultiHeadAttention(num_heads=4)
    attention.build((None, None, 64), (None, None, 64))
    kernel, _ = attention.value_dense.get_weights()
    # Glorot's bound for a square layer
    limit = np.sqrt(6 / 128)
    assert 0.99 * limit < np.abs(kernel).max() <= limit
