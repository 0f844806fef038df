"""Attention and recurrent steps in NumPy, in float64, from the papers."""

import numpy as np


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def additive(query, value, query_kernel, value_kernel, bias, energy_kernel):
    """Bahdanau et al. (2015), A.1.2: one query and one place at a time."""
    energies = np.zeros((*query.shape[:2], value.shape[1]))
    for b, i, j in np.ndindex(energies.shape):
        hidden = query[b, i] @ query_kernel + value[b, j] @ value_kernel + bias
        energies[b, i, j] = np.tanh(hidden) @ energy_kernel[:, 0]
    return energies


def weights_of(energies, mask):
    """Softmax over the real places of the last axis."""
    e = np.exp(energies - energies.max(axis=-1, keepdims=True)) * mask
    return e / np.maximum(e.sum(axis=-1, keepdims=True), 1e-30)


def attend(query, value, mask, weights):
    """Context and attention scores of one query a row."""
    energies = additive(query[:, None], value, *weights)[:, 0]
    scores = weights_of(energies, mask)
    return np.einsum("bt,btd->bd", scores, value), scores


def gru(x, h, kernel, recurrent_kernel, bias):
    """Keras's GRU: the reset gate acts after the recurrent product."""
    units = h.shape[-1]
    gates = np.split(x @ kernel + bias[0], [units, 2 * units], axis=-1)
    again = h @ recurrent_kernel + bias[1]
    again = np.split(again, [units, 2 * units], axis=-1)
    z = sigmoid(gates[0] + again[0])
    r = sigmoid(gates[1] + again[1])
    return z * h + (1 - z) * np.tanh(gates[2] + r * again[2])


def lstm(x, h, c, kernel, recurrent_kernel, bias):
    """Gates in Keras's order: input, forget, candidate, output."""
    gates = np.split(x @ kernel + h @ recurrent_kernel + bias, 4, axis=-1)
    i, f, o = sigmoid(gates[0]), sigmoid(gates[1]), sigmoid(gates[3])
    c = f * c + i * np.tanh(gates[2])
    return o * np.tanh(c), c


def randomize(layer, seed=0):
    """Weights of a layer, biases too, drawn anew."""
    rng = np.random.default_rng(seed)
    layer.set_weights([rng.normal(size=w.shape) for w in layer.get_weights()])
