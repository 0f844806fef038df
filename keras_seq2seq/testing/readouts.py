import keras
import numpy as np

from keras_seq2seq.layers import Readout
from keras_seq2seq.testing.batches import floats_as
from keras_seq2seq.testing.batches import normal
from keras_seq2seq.testing.batches import other_rows
from keras_seq2seq.testing.batches import own_batch
from keras_seq2seq.testing.batches import rows_of
from keras_seq2seq.testing.batches import tensors
from keras_seq2seq.testing.checks import HALF
from keras_seq2seq.testing.checks import assert_close
from keras_seq2seq.testing.checks import assert_finite
from keras_seq2seq.testing.checks import assert_same_from_file
from keras_seq2seq.testing.checks import attributes
from keras_seq2seq.testing.checks import check
from keras_seq2seq.testing.checks import fresh
from keras_seq2seq.testing.checks import shake
from keras_seq2seq.testing.checks import to_numpy
from keras_seq2seq.testing.checks import with_policy
from keras_seq2seq.testing.serialization import run_serialization_test
from keras_seq2seq.utils.checks import check_type


def run_readout_test(readout, batch=None):
    """Check the contract of a `Readout`.

    The shape is that of `compute_output_shape`; a step equals the sequence,
    so no step sees another; neighbours are invisible; steps are pure; the mask
    of the outputs is passed on; a `.keras` file gives the same again; half
    precision is finite; serialization.

    Args:
        readout: `Readout`. A copy of it is tested.
        batch: Dict of `outputs`, floats of shape
            `(batch_size, target_length, output_size)`, and `embedded`, of
            shape `(batch_size, target_length, embedding_dim)`. Defaults to
            `None`: three rows, 8 and 4 wide.

    Example:

    >>> k2s.testing.run_readout_test(k2s.layers.DeepReadout(units=3))
    """
    check_type(readout, "readout", Readout)
    run_serialization_test(readout)
    default = {"outputs": normal(3, 4, 8), "embedded": normal(3, 4, 4, seed=1)}
    batch = own_batch(batch, default)
    readout = fresh(readout)
    inputs = [keras.Input((None, batch[name].shape[-1])) for name in batch]
    symbols = dict(zip(batch, inputs))
    model = keras.Model(inputs, readout(**symbols))
    shake(readout)
    found = _run(readout, batch)
    _check_shapes(readout, batch, found)
    _check_steps(readout, batch, found)
    rows = other_rows(len(found))
    assert_close(
        _run(readout, rows_of(batch, rows)),
        found[rows],
        "Neighbours are visible: a row beside others.",
    )
    _check_mask(readout, batch)
    assert_same_from_file(model, tensors(list(batch.values())), found)
    for policy in HALF:
        config = with_policy(readout.get_config(), policy)
        half = type(readout).from_config(config)
        large = {name: 8 * x for name, x in batch.items()}
        outputs = half(**floats_as(large, half.compute_dtype))
        assert_finite(outputs, f"what the output layer sees under {policy}")


def _run(readout, batch):
    return to_numpy(readout(**tensors(batch)))


def _check_shapes(readout, batch, found):
    inferred = readout.compute_output_shape(
        batch["outputs"].shape, batch["embedded"].shape
    )
    check(
        found.shape == tuple(inferred)
        and found.shape[:-1] == batch["outputs"].shape[:-1],
        f"The result is of shape {found.shape}, and `compute_output_shape` "
        f"says {tuple(inferred)}.",
    )


def _check_steps(readout, batch, found):
    """Laws 1 and 12."""
    for t in range(found.shape[1]):
        step = {name: x[:, t] for name, x in batch.items()}
        before = attributes(readout)
        once = _run(readout, step)
        assert_close(once, found[:, t], f"Step {t} equals the sequence.")
        again, after = _run(readout, step), attributes(readout)
        assert_close(again, once, f"Step {t} again.", tolerance=0)
        check(before == after, "A step changes an attribute of the readout.")
    check(not readout.losses, "A step adds a loss.")


def _check_mask(readout, batch):
    """Losses count the tokens that the mask of the logits shows."""
    outputs = batch["outputs"].copy()
    outputs[:, -1] = 9.0
    masked = keras.layers.Masking(9.0)(tensors(outputs))
    x = readout(masked, tensors(batch["embedded"]))
    mask = getattr(x, "_keras_mask", None)
    check(
        mask is not None,
        "The mask of the outputs is not passed on. Is `supports_masking` set?",
    )
    expected = np.ones(outputs.shape[:2], "bool")
    expected[:, -1] = False
    assert_close(to_numpy(mask), expected, "The mask of the outputs.")
