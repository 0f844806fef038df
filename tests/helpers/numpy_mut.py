"""Jozefowicz et al. (2015): the three mutations and the LSTM, in float64.

`w` maps the paper's names to arrays; a state and a step at a time.
"""

import numpy as np
from keras import ops

from tests.helpers.numpy_cells import sigmoid


def mut1(x, h, w):
    z = sigmoid(x @ w["xz"] + w["bz"])
    r = sigmoid(x @ w["xr"] + h @ w["hr"] + w["br"])
    read = np.tanh(x @ w["x"])
    return np.tanh((r * h) @ w["hh"] + read + w["bh"]) * z + h * (1 - z)


def mut2(x, h, w):
    z = sigmoid(x @ w["xz"] + h @ w["hz"] + w["bz"])
    r = sigmoid(x @ w["x"] + h @ w["hr"] + w["br"])
    new = np.tanh((r * h) @ w["hh"] + x @ w["xh"] + w["bh"])
    return new * z + h * (1 - z)


def mut3(x, h, w):
    z = sigmoid(x @ w["xz"] + np.tanh(h) @ w["hz"] + w["bz"])
    r = sigmoid(x @ w["xr"] + h @ w["hr"] + w["br"])
    new = np.tanh((r * h) @ w["hh"] + x @ w["xh"] + w["bh"])
    return new * z + h * (1 - z)


def reduced_lstm(x, h, c, w, without):
    """`w` maps each part to its two kernels and its bias."""

    def total(name):
        of_x, of_h, bias = w[name]
        return x @ of_x + h @ of_h + bias

    gates = {
        name: 1.0 if name == without else sigmoid(total(name))
        for name in ("input", "forget", "output")
    }
    c = gates["forget"] * c + gates["input"] * np.tanh(total("candidate"))
    return gates["output"] * np.tanh(c), c


def check_against(cell, function, names, dim):
    """A cell over several steps, from random states, against `function`.

    Args:
        names: Three lists, what lies side by side in the cell's kernel,
            recurrent kernel and bias.
    """
    rng = np.random.default_rng(dim)
    cell.build((None, dim))
    w = {"x": np.eye(dim)}
    for weight, own in zip(cell.weights, names):
        value = rng.normal(size=weight.shape)
        weight.assign(value)
        w.update(zip(own, np.split(value, len(own), axis=-1)))
    state = h = rng.normal(size=(3, cell.units))
    for x in rng.normal(size=(4, 3, dim)):
        output, (state,) = cell(x.astype("float32"), [state])
        h = function(x, h, w)
        for actual in (output, state):
            np.testing.assert_allclose(
                ops.convert_to_numpy(actual), h, atol=1e-5
            )
