import keras
import numpy as np

from keras_seq2seq.layers import Encoder
from keras_seq2seq.testing.batches import flat
from keras_seq2seq.testing.batches import floats_as
from keras_seq2seq.testing.batches import mixed_mask
from keras_seq2seq.testing.batches import normal
from keras_seq2seq.testing.batches import other_rows
from keras_seq2seq.testing.batches import other_values
from keras_seq2seq.testing.batches import own_batch
from keras_seq2seq.testing.batches import row_count
from keras_seq2seq.testing.batches import rows_of
from keras_seq2seq.testing.batches import tensors
from keras_seq2seq.testing.batches import widened
from keras_seq2seq.testing.checks import HALF
from keras_seq2seq.testing.checks import assert_close
from keras_seq2seq.testing.checks import assert_finite
from keras_seq2seq.testing.checks import check
from keras_seq2seq.testing.checks import fresh
from keras_seq2seq.testing.checks import to_numpy
from keras_seq2seq.testing.checks import with_policy
from keras_seq2seq.testing.encoder_run import EncoderRun
from keras_seq2seq.testing.encoder_run import like
from keras_seq2seq.testing.encoder_run import of_masked
from keras_seq2seq.testing.encoder_run import real
from keras_seq2seq.testing.encoder_run import with_inputs
from keras_seq2seq.testing.serialization import run_serialization_test
from keras_seq2seq.utils.checks import check_type

WIDTH, LENGTH = 6, 5


def run_encoder_test(encoder, batch=None, *, policies=HALF):
    """Check the contract of an `Encoder`.

    Memory and states have the shapes of `compute_output_shape`, the memory's
    mask has the memory's length, and that fits `stride`; padding and
    neighbours are invisible; a source that is all padding is finite; one of
    `max_length` can be read, a longer one cannot; in a functional model of
    unknown sizes the encoder gives the same, and from a `.keras` file too;
    half precision is finite; serialization.

    Args:
        encoder: `Encoder`. A copy of it is tested.
        batch: Dict of `inputs` and `mask`, as for a call: arrays, or dicts of
            arrays for an encoder of several sources; `None` in place of a mask
            for a source that has none. Defaults to `None`: four sources, 6
            wide, or of token ids, one of them all padding.
        policies: Names of dtype policies that must stay finite.

    Example:

    >>> encoder = k2s.layers.RecurrentEncoder(keras.layers.GRUCell(3))
    >>> k2s.testing.run_encoder_test(encoder)
    """
    check_type(encoder, "encoder", Encoder)
    run_serialization_test(encoder)
    batch = own_batch(batch, _batch(encoder))
    encoder = fresh(encoder)
    run = EncoderRun(encoder, batch)
    found = run(**batch)
    _check_shapes(encoder, batch, found)
    _check_padding(encoder, run, batch, found)
    _check_neighbours(run, batch, found)
    empty = of_masked(lambda x, mask: np.zeros_like(mask), batch)
    nothing = run(batch["inputs"], empty)
    assert_finite(nothing["outputs"], "sources that are all padding")
    _check_max_length(encoder, **batch)
    if encoder.has_self_attention:
        _check_self_attention(encoder, **batch)
    run.check_layer(batch, found)
    run.check_file(batch, found)
    for policy in policies:
        _check_half_precision(encoder, policy, **batch)


def _batch(encoder):
    length = LENGTH if encoder.stride in (None, 1) else 2 * encoder.stride + 1
    if encoder.max_length is not None:
        room = encoder.max_length - _more(encoder)
        length = max(1, min(length, room))
    inputs = normal(4, length, WIDTH)
    if encoder.embeds_token_ids:
        size = getattr(encoder, "vocabulary_size", None) or 9
        rng = np.random.default_rng(0)
        ids = rng.integers(min(4, size - 1), size, (4, length))
        inputs = ids.astype("int32")
    return {"inputs": inputs, "mask": mixed_mask(length)}


def _more(encoder):
    """How many columns of padding are added: whole places of the memory."""
    return 2 * (encoder.stride or 1)


def _check_shapes(encoder, batch, found):
    shapes = keras.tree.map_structure(lambda x: x.shape, batch["inputs"])
    inferred = []
    keras.tree.map_shape_structure(
        lambda shape: inferred.append(tuple(shape)),
        encoder.compute_output_shape(shapes),
    )
    actual = [x.shape for x in found["outputs"]]
    check(
        actual == inferred,
        f"Memory and states of shapes {actual}, but `compute_output_shape` "
        f"says {inferred}.",
    )
    shape = actual[0][:2]
    for mask in found["mask"]:
        check(
            mask.shape == shape,
            f"The mask of the memory is of shape {mask.shape}, not {shape}.",
        )
    mask, stride = batch["mask"], encoder.stride
    if isinstance(mask, np.ndarray) and stride is not None:
        length = mask.shape[1]
        check(
            abs(length - stride * shape[1]) < 2 * stride,
            f"`stride` is {stride}, but a source of length {length} has a "
            f"memory of length {shape[1]}.",
        )


def _check_padding(encoder, run, batch, found):
    """Law 2."""
    noise = with_inputs(
        lambda x, mask: np.where(like(mask, x), x, other_values(x)), batch
    )
    assert_close(
        real(run(**noise)),
        real(found),
        "Padding is visible: other values at masked places.",
    )
    more, limit = _more(encoder), encoder.max_length
    lengths = flat(of_masked(lambda x, mask: x.shape[1], batch))
    if not lengths or (limit is not None and max(lengths) + more > limit):
        return
    wide = run(
        with_inputs(lambda x, mask: widened(x, more), batch)["inputs"],
        of_masked(lambda x, mask: widened(mask, more, False), batch),
    )
    length = found["outputs"][0].shape[1]
    for mask in wide["mask"]:
        beyond = found["mask"][0]
        beyond = widened(beyond, mask.shape[1] - length, False)
        assert_close(mask, beyond, "Padding is visible: the memory's mask.")
    memory, *states = real(wide)
    assert_close(
        [memory[:, :length], *states],
        real(found),
        "Padding is visible: more masked places.",
    )


def _check_neighbours(run, batch, found):
    """Law 3."""
    rows = other_rows(row_count(batch["inputs"]))
    assert_close(
        real(run(**rows_of(batch, rows))),
        real(rows_of(found, rows)),
        "Neighbours are visible: a row beside others.",
    )


def _check_max_length(encoder, inputs, mask):
    limit = encoder.max_length
    if limit is None or not isinstance(mask, np.ndarray):
        return

    def row(length):
        columns = np.arange(length) % inputs.shape[1]
        return tensors((inputs[:1, columns], np.ones((1, length), "bool")))

    outputs = encoder(*row(limit))
    assert_finite(outputs, f"a source of `max_length`, {limit}")
    longer = limit + (encoder.stride or 1)
    try:
        encoder(*row(longer))
    except Exception:  # of any kind: a backend's own does too
        return
    check(
        False,
        f"`max_length` is {limit}, but a source of length {longer} is read.",
    )


def _check_self_attention(encoder, inputs, mask):
    memory, _, layers = encoder(
        tensors(inputs), mask=tensors(mask), return_attention_scores=True
    )
    for name, scores in layers.items():
        scores = to_numpy(scores)
        shape = scores.shape
        check(
            len(shape) == 4 and shape[0] == memory.shape[0],
            f"Self-attention of `{name}` is of shape {shape}, not "
            "(batch_size, num_heads, Tv, Tv).",
        )
        check(scores.min() >= 0, f"Self-attention of `{name}` below 0.")
        most = scores.sum(-1).max()
        check(most < 1 + 1e-5, f"Self-attention of `{name}` beyond 1.")


def _check_half_precision(encoder, policy, inputs, mask):
    half = type(encoder).from_config(with_policy(encoder.get_config(), policy))
    inputs = floats_as(inputs, half.compute_dtype)
    outputs = half(inputs, mask=tensors(mask))
    assert_finite(outputs, f"memory and states under {policy}")
