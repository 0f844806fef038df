"""Encoders of GRUs in one direction or two, row by row, in float64."""

import numpy as np

from tests.helpers.numpy_cells import gru


def one_way(x, weights):
    """Memory and last state of one row of real steps."""
    h = np.zeros((1, weights[1].shape[0]))
    memory = np.zeros((len(x), h.shape[1]))
    for t, step in enumerate(x):
        memory[t] = h = gru(step[None], h, *weights)
    return memory, np.reshape(h, -1)


def two_ways(x, weights):
    """Memory, and the last states forward and backward."""
    forward, last = one_way(x, weights[:3])
    backward, first = one_way(x[::-1], weights[3:])
    return np.hstack([forward, backward[::-1]]), last, first


def padded(x, length):
    return np.pad(x, ((0, length - len(x)), (0, 0)))
