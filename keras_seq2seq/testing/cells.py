import keras
import numpy as np
from keras import ops

from keras_seq2seq.layers import DecoderCell
from keras_seq2seq.testing.batches import mixed_mask
from keras_seq2seq.testing.batches import normal
from keras_seq2seq.testing.batches import own_batch
from keras_seq2seq.testing.checks import HALF
from keras_seq2seq.testing.checks import assert_close
from keras_seq2seq.testing.checks import assert_finite
from keras_seq2seq.testing.checks import attributes
from keras_seq2seq.testing.checks import check
from keras_seq2seq.testing.checks import fresh
from keras_seq2seq.testing.checks import to_numpy
from keras_seq2seq.testing.checks import with_policy
from keras_seq2seq.testing.serialization import run_serialization_test
from keras_seq2seq.utils.checks import check_type

LENGTH, BEAMS = 5, 4


def run_cell_test(cell, batch=None):
    """Check the contract of a `DecoderCell`.

    Shapes of output, states and attention scores; beams as a query axis equal
    each beam alone; masked places of the memory are invisible, be they few or
    many; a step is pure; half precision is finite; serialization.

    Args:
        cell: `DecoderCell`. A copy of it is tested.
        batch: Dict of `inputs`, floats of shape
            `(batch_size, num_beams, inputs_dim)`, `memory`, of shape
            `(batch_size, Tv, value_dim)`, and `memory_mask`, booleans of shape
            `(batch_size, Tv)`. Defaults to `None`: four sources, one of them
            all padding, of four beams.

    Example:

    >>> cell = k2s.layers.LuongCell(keras.layers.GRUCell(4))
    >>> k2s.testing.run_cell_test(cell)
    """
    check_type(cell, "cell", DecoderCell)
    run_serialization_test(cell)
    cell = fresh(cell)
    mask = mixed_mask(LENGTH)
    default = {
        "inputs": normal(len(mask), BEAMS, 3),
        "memory": normal(len(mask), LENGTH, 4, seed=1),
        "memory_mask": mask,
    }
    batch = own_batch(batch, default)
    value, mask = batch["memory"], batch["memory_mask"]
    beams = batch["inputs"].shape[1]
    inputs = batch["inputs"].reshape(len(mask) * beams, -1)
    inputs = ops.convert_to_tensor(inputs)
    memory = _memory(cell, value, mask)
    states = _random_states(cell, memory, mask, beams)

    _check_shapes(cell, inputs, states, memory, mask)
    _check_beams(cell, inputs, states, memory, beams)
    _check_mask(cell, inputs, states, value, mask)
    _check_padding(cell, inputs, states, value, mask)
    _check_purity(cell, inputs, states, memory)
    for policy in HALF:
        half = type(cell).from_config(with_policy(cell.get_config(), policy))
        memory = _memory(half, value.astype(half.compute_dtype), mask)
        states = keras.tree.map_structure(
            lambda x: ops.cast(x, half.compute_dtype), states
        )
        assert_finite(half(inputs, states, memory), f"a step under {policy}")


def _memory(cell, value, mask):
    return cell.prepare_memory(
        ops.convert_to_tensor(value), ops.convert_to_tensor(mask)
    )


def _random_states(cell, memory, mask, beams):
    """States of the shapes of the first ones, for all beams."""
    rng, rows = np.random.default_rng(0), len(mask) * beams
    first = cell.get_initial_state(len(mask), memory)
    keras.tree.assert_same_structure(first, cell.state_size)

    def draw(x, size):
        if size is not None:
            x = rng.uniform(-1, 1, (rows, *x.shape[1:]))
        else:
            x = _random_attention(rng, mask, beams)
        return ops.convert_to_tensor(x.astype("float32"))

    return _map(draw, first, cell.state_size)


def _random_attention(rng, mask, beams):
    """What a state as long as the memory holds: attention at real places."""
    mask = np.repeat(mask, beams, axis=0)
    x = rng.uniform(0, 1, mask.shape) * mask
    return x / np.maximum(x.sum(-1, keepdims=True), 1)


def _check_shapes(cell, inputs, states, memory, mask):
    mask = np.repeat(mask, len(inputs) // len(mask), axis=0)
    rows, length = mask.shape
    output, new, scores = cell(inputs, states, memory)
    for name, x, size in (
        ("output", output, cell.output_size),
        ("attention scores", scores, length),
    ):
        expected, shape = (rows, size), tuple(x.shape)
        check(shape == expected, f"{name} of shape {shape}, not {expected}.")
    keras.tree.assert_same_structure(states, new)
    for old, x in zip(keras.tree.flatten(states), keras.tree.flatten(new)):
        shape, expected = tuple(x.shape), tuple(old.shape)
        check(shape == expected, f"State {shape}, not {expected}.")
    scores = to_numpy(scores)
    assert_close(scores * ~mask, np.zeros_like(scores), "a masked place")
    check(scores.min() >= 0, "An attention score below 0.")
    check(scores.sum(-1).max() < 1 + 1e-5, "Attention scores beyond 1.")


def _check_beams(cell, inputs, states, memory, beams):
    together = cell(inputs, states, memory)
    for beam in range(beams):

        def alone(x, beam=beam):
            return x[beam::beams]

        assert_close(
            cell(alone(inputs), _map(alone, states), memory),
            _map(alone, together),
            f"beam {beam} alone",
        )


def _check_mask(cell, inputs, states, value, mask):
    noise = np.where(mask[..., None], value, 100 * value + 7)
    assert_close(
        cell(inputs, states, _memory(cell, noise, mask)),
        cell(inputs, states, _memory(cell, value, mask)),
        "other values at masked places",
    )


def _check_padding(cell, inputs, states, value, mask):
    """Two more places of the memory, masked."""
    more = ((0, 0), (0, 2))

    def widen(x, size):
        return ops.pad(x, more) if size is None else x

    memory = _memory(
        cell,
        np.pad(value, (*more, (0, 0)), constant_values=7),
        np.pad(mask, more),
    )
    narrow = _memory(cell, value, mask)
    output, new, scores = cell(inputs, states, narrow)
    assert_close(
        cell(inputs, _map(widen, states, cell.state_size), memory),
        (output, _map(widen, new, cell.state_size), widen(scores, None)),
        "more masked places",
    )


def _check_purity(cell, inputs, states, memory):
    once, before = cell(inputs, states, memory), attributes(cell)
    again, after = cell(inputs, states, memory), attributes(cell)
    assert_close(again, once, "the same step again", tolerance=0)
    check(before == after, "A step changes an attribute of the cell.")
    check(not cell.losses, "A step adds a loss.")


def _map(function, *nested):
    return keras.tree.map_structure(function, *nested)
