import re

import keras
import numpy as np

from keras_seq2seq.layers import Bridge
from keras_seq2seq.testing.batches import floats_as
from keras_seq2seq.testing.batches import mixed_mask
from keras_seq2seq.testing.batches import normal
from keras_seq2seq.testing.batches import other_rows
from keras_seq2seq.testing.batches import other_values
from keras_seq2seq.testing.batches import own_batch
from keras_seq2seq.testing.batches import rows_of
from keras_seq2seq.testing.batches import tensors
from keras_seq2seq.testing.batches import widened
from keras_seq2seq.testing.checks import HALF
from keras_seq2seq.testing.checks import assert_close
from keras_seq2seq.testing.checks import assert_finite
from keras_seq2seq.testing.checks import check
from keras_seq2seq.testing.checks import shake
from keras_seq2seq.testing.checks import to_numpy
from keras_seq2seq.testing.checks import with_policy
from keras_seq2seq.testing.serialization import run_serialization_test
from keras_seq2seq.utils.checks import check_type
from keras_seq2seq.utils.structures import plain

LENGTH, WIDTH, UNITS = 5, 6, 4
# Of no encoder's states, in a structure that no simple cell has.
MISFIT = [[11, 13], 17]


def run_bridge_test(bridge, batch=None, *, state_size=UNITS, num_layers=1):
    """Check the contract of a `Bridge`.

    First states have the structure and the sizes of `state_size`; padding of
    the memory and neighbours are invisible; states that do not fit the cell
    are an error that names both sides, or else they are made to fit; half
    precision is finite, fully masked rows included; serialization.

    Args:
        bridge: `Bridge`. Copies of it are tested.
        batch: Dict of `states`, nested floats of shape `(batch_size, dim)`,
            `memory`, of shape `(batch_size, Tv, value_dim)`, and
            `memory_mask`, booleans of shape `(batch_size, Tv)`, or `None`.
            Defaults to `None`: those of a bidirectional encoder of 4 units.
        state_size: Integer, or nested integers: of the cell that the states
            are for. Defaults to `4`.
        num_layers: Integer, how many layers the cell has. Defaults to `1`.

    Example:

    >>> k2s.testing.run_bridge_test(k2s.layers.DenseBridge())
    >>> k2s.testing.run_bridge_test(k2s.layers.CopyBridge(), state_size=8)
    """
    check_type(bridge, "bridge", Bridge)
    run_serialization_test(bridge)
    batch = own_batch(batch, _batch())
    cell = {"state_size": state_size, "num_layers": num_layers}
    built = _built(bridge, batch, **cell)
    shake(built)
    first = _first(built, batch)
    _check_structure(first, batch, state_size)
    _check_padding(built, batch, first)
    rows = other_rows(len(batch["memory"]))
    assert_close(
        _first(built, rows_of(batch, rows)),
        rows_of(first, rows),
        "Neighbours are visible: a row beside others.",
    )
    _check_misfit(bridge, batch, num_layers)
    for policy in HALF:
        config = with_policy(bridge.get_config(), policy)
        half = _built(bridge, batch, config, **cell)
        x = floats_as(batch, half.compute_dtype)
        states = half(x["states"], x["memory"], memory_mask=x["memory_mask"])
        assert_finite(states, f"first states under {policy}")


def _batch():
    mask = mixed_mask(LENGTH)
    # An encoder leaves its states at zero where it reads nothing.
    read = np.any(mask, axis=1, keepdims=True)
    directions = {"forward": 0, "backward": 1}
    return {
        "states": {
            name: [np.where(read, normal(len(mask), UNITS, seed=seed), 0)]
            for name, seed in directions.items()
        },
        "memory": normal(len(mask), LENGTH, WIDTH, seed=2),
        "memory_mask": mask,
    }


def _built(bridge, batch, config=None, *, state_size, num_layers):
    copy = type(bridge).from_config(config or bridge.get_config())
    copy.num_layers = num_layers
    shapes = keras.tree.map_structure(
        lambda x: (None, x.shape[1]), batch["states"]
    )
    _, _, width = batch["memory"].shape
    copy.build(shapes, state_size, memory_shape=(None, None, width))
    return copy


def _first(bridge, batch):
    x = tensors(batch)
    return to_numpy(
        bridge(x["states"], x["memory"], memory_mask=x["memory_mask"])
    )


def _check_structure(first, batch, state_size):
    rows = len(batch["memory"])
    expected = keras.tree.map_structure(
        lambda size: np.zeros((rows, size)), plain(state_size)
    )
    try:
        keras.tree.assert_same_structure(first, expected)
    except (TypeError, ValueError) as error:
        raise AssertionError(
            f"First states in another structure than that of {state_size}."
        ) from error
    pairs = zip(keras.tree.flatten(first), keras.tree.flatten(expected))
    for state, wanted in pairs:
        check(
            state.shape == wanted.shape,
            f"A first state of shape {state.shape}, not {wanted.shape}.",
        )


def _check_padding(bridge, batch, first):
    """Law 2."""
    mask, memory = batch["memory_mask"], batch["memory"]
    if mask is None:
        return
    noise = np.where(mask[..., None], memory, other_values(memory))
    assert_close(
        _first(bridge, {**batch, "memory": noise}),
        first,
        "Padding is visible: other values at masked places of the memory.",
    )
    wide = {"memory": widened(memory, 2), "memory_mask": widened(mask, 2, 0)}
    assert_close(
        _first(bridge, {**batch, **wide}),
        first,
        "Padding is visible: more masked places of the memory.",
    )
    ones = np.ones_like(mask)
    assert_close(
        _first(bridge, {**batch, "memory_mask": None}),
        _first(bridge, {**batch, "memory_mask": ones}),
        "No mask, and one that masks nothing.",
    )


def _check_misfit(bridge, batch, num_layers):
    cell = {"state_size": MISFIT, "num_layers": num_layers}
    try:
        built = _built(bridge, batch, **cell)
    except ValueError as error:
        given = [x.shape[-1] for x in keras.tree.flatten(batch["states"])]
        named = {int(n) for n in re.findall(r"\d+", str(error))}
        check(
            {11, 13, 17} <= named and (not given or named - {11, 13, 17}),
            "The error of states that do not fit must name the sizes of both "
            f"sides, encoder {given} and decoder {MISFIT}. It says: {error}",
        )
    else:
        _check_structure(_first(built, batch), batch, MISFIT)
