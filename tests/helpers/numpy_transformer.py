"""Blocks of a Transformer in NumPy, in float64, from the papers' formulas."""

import numpy as np


def weights_of(layer):
    return [w.astype("float64") for w in layer.get_weights()]


def softmax(x):
    x = np.exp(x - x.max(-1, keepdims=True))
    return x / x.sum(-1, keepdims=True)


def norm(layer, x):
    gamma, beta = weights_of(layer)
    x = x - x.mean(-1, keepdims=True)
    return gamma * x / np.sqrt((x**2).mean(-1, keepdims=True) + 1e-5) + beta


def attention(layer, query, value, bias=0.0):
    """Of one sequence: query `(Tq, dim)`, value `(Tv, dim)`.

    `bias` is `(num_heads, Tq, Tv)`, minus infinity at places that are not
    seen.
    """
    wq, bq, wv, bv, wo, bo = weights_of(layer)
    width = wq.shape[1]
    queries, both = query @ wq + bq, value @ wv + bv
    keys, values = both[:, :width], both[:, width:]
    size = width // layer.num_heads
    shape = layer.num_heads, len(query), len(value)
    bias = np.broadcast_to(bias, shape)
    heads = []
    for head in range(layer.num_heads):
        at = slice(head * size, (head + 1) * size)
        energies = queries[:, at] @ keys[:, at].T / np.sqrt(size)
        heads.append(softmax(energies + bias[head]) @ values[:, at])
    return np.concatenate(heads, axis=1) @ wo + bo


def feed_forward(layer, x):
    w1, b1, w2, b2 = weights_of(layer)
    return np.maximum(x @ w1 + b1, 0) @ w2 + b2


def block(layer, x, bias, memory=None):
    """A block with post-normalisation; `memory (Tv, dim)` has no bias."""

    def normed(name, x):
        return norm(layer.residuals[name].norm, x)

    attended = attention(layer.self_attention, x, x, bias)
    x = normed("self_attention", x + attended)
    if memory is not None:
        attended = attention(layer.memory_attention, x, memory)
        x = normed("memory_attention", x + attended)
    return normed("feed_forward", x + feed_forward(layer.feed_forward, x))
