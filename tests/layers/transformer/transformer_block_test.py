import numpy as np
import pytest
from keras import ops

from keras_seq2seq.layers import TransformerBlock
from keras_seq2seq.ops import causal_mask
from keras_seq2seq.testing import run_serialization_test
from tests.helpers.numpy_cells import randomize

RNG = np.random.default_rng(0)
INPUTS = RNG.normal(size=(2, 3, 4)).astype("float32")


def norm(x, gamma, beta):
    x = x - x.mean(-1, keepdims=True)
    return gamma * x / np.sqrt((x**2).mean(-1, keepdims=True) + 1e-5) + beta


@pytest.mark.parametrize("first", [False, True])
def test_place_of_the_normalisation(first):
    block = TransformerBlock(2, 5, normalize_first=first, dropout=0.3)
    block.build(INPUTS.shape)
    randomize(block)
    norms = [
        block.residuals[name].norm.get_weights()
        for name in ("self_attention", "feed_forward")
    ]

    def attend(x):
        return ops.convert_to_numpy(block.self_attention(x, x)[0])

    def feed(x):
        return ops.convert_to_numpy(block.feed_forward(x))

    x = INPUTS
    for function, weights in zip((attend, feed), norms):
        if first:
            x = x + function(norm(x, *weights))
        else:
            x = norm(x + function(x), *weights)
    output, _, _ = block(INPUTS)
    np.testing.assert_allclose(ops.convert_to_numpy(output), x, atol=1e-5)


def test_a_cache_holds_what_was_projected():
    block = TransformerBlock(2, 5)
    block.build(INPUTS.shape)
    randomize(block)
    whole, projected, _ = block(INPUTS, seen=causal_mask(3, 3))
    cache = block.empty_cache(rows=2, length=4)
    for t in range(3):
        output, cache, _ = block(
            INPUTS[:, t : t + 1],
            cache=cache,
            first=t,
            seen=np.arange(4) <= t,
        )
        np.testing.assert_allclose(
            ops.convert_to_numpy(output)[:, 0],
            ops.convert_to_numpy(whole)[:, t],
            atol=1e-5,
        )
    keys = ops.convert_to_numpy(cache["keys"])
    np.testing.assert_allclose(
        keys[..., :3], ops.convert_to_numpy(projected["keys"]), atol=1e-5
    )
    assert not keys[..., 3].any()


def test_causal_mask():
    assert ops.convert_to_numpy(causal_mask(3, 3))[0].tolist() == [
        [True, False, False],
        [True, True, False],
        [True, True, True],
    ]


def test_serialization():
    block = TransformerBlock(
        2,
        5,
        cross_attention=True,
        activation="gelu",
        normalize_first=True,
        dropout=0.1,
    )
    run_serialization_test(block)
    with pytest.raises(ValueError, match="`dropout`.*dropout=2"):
        TransformerBlock(2, dropout=2)
