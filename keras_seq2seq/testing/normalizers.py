import numpy as np
from keras import ops

from keras_seq2seq.layers import AttentionNormalizer
from keras_seq2seq.testing.batches import floats_as
from keras_seq2seq.testing.batches import mixed_mask
from keras_seq2seq.testing.batches import normal
from keras_seq2seq.testing.batches import other_rows
from keras_seq2seq.testing.batches import other_values
from keras_seq2seq.testing.batches import own_batch
from keras_seq2seq.testing.batches import rows_of
from keras_seq2seq.testing.batches import tensors
from keras_seq2seq.testing.checks import HALF
from keras_seq2seq.testing.checks import assert_close
from keras_seq2seq.testing.checks import assert_finite
from keras_seq2seq.testing.checks import check
from keras_seq2seq.testing.checks import fresh
from keras_seq2seq.testing.checks import to_numpy
from keras_seq2seq.testing.checks import with_policy
from keras_seq2seq.testing.serialization import run_serialization_test
from keras_seq2seq.utils.checks import check_type

QUERIES, PLACES = 3, 5


def run_normalizer_test(normalizer, batch=None):
    """Check the contract of an `AttentionNormalizer`.

    Weights are of the shape of the energies, at least 0, zero at masked
    places, and sum to 1 at most; padding and neighbours are invisible, and so
    are the other queries; of a normalizer with a state, the first state and
    the next one; noise is drawn outside and acts in training alone; half
    precision is finite, fully masked rows included; serialization.

    Args:
        normalizer: `AttentionNormalizer`. A copy of it is tested.
        batch: Dict of `energies`, floats of shape `(batch_size, Tq, Tv)`, and
            `value_mask`, booleans of shape `(batch_size, Tv)`. Defaults to
            `None`: four rows, one of them fully masked.

    Example:

    >>> k2s.testing.run_normalizer_test(k2s.layers.SoftmaxNormalizer())
    """
    check_type(normalizer, "normalizer", AttentionNormalizer)
    run_serialization_test(normalizer)
    normalizer = fresh(normalizer)
    mask = mixed_mask(PLACES)
    energies = 3 * normal(len(mask), QUERIES, PLACES)
    default = {"energies": energies, "value_mask": mask}
    batch = dict(own_batch(batch, default))
    batch["state"] = _states(batch) if normalizer.has_state else None

    weights = _weights(normalizer, batch)
    _check_weights(normalizer, batch, weights)
    _check_padding(normalizer, batch, weights)
    _check_neighbours(normalizer, batch, weights)
    _check_queries(normalizer, batch, weights)
    if normalizer.has_state:
        _check_state(normalizer, batch, weights)
    _check_noise(normalizer, batch, weights)
    for policy in HALF:
        _check_half_precision(normalizer, policy, batch)


def _states(batch):
    """What the attention of an earlier step may be."""
    shown = np.broadcast_to(
        batch["value_mask"][:, None], batch["energies"].shape
    )
    x = shown * np.random.default_rng(0).random(shown.shape)
    total = np.maximum(x.sum(-1, keepdims=True), 1e-3)
    return (x / total).astype("float32")


def _weights(normalizer, batch, **kwargs):
    return to_numpy(normalizer(**tensors(batch), **kwargs))


def _check_weights(normalizer, batch, weights):
    shape = batch["energies"].shape
    inferred = tuple(normalizer.compute_output_shape(shape))
    check(
        weights.shape == shape == inferred,
        f"Weights of shape {weights.shape}, and `compute_output_shape` says "
        f"{inferred}, for energies of shape {shape}.",
    )
    check(np.all(np.isfinite(weights)), "A weight that is not finite.")
    check(weights.min() >= 0, "A weight below 0.")
    check(weights.sum(-1).max() < 1 + 1e-5, "Weights beyond 1.")
    mask = batch["value_mask"][:, None]
    check(not np.any(weights * ~mask), "A masked place has a weight.")
    shown = np.broadcast_to(mask, shape)
    assert_close(
        _weights(normalizer, {**batch, "value_mask": shown}),
        weights,
        "A mask of each query, which is that of the row.",
    )
    ones = np.ones_like(batch["value_mask"])
    assert_close(
        _weights(normalizer, {**batch, "value_mask": None}),
        _weights(normalizer, {**batch, "value_mask": ones}),
        "No mask, and one that masks nothing.",
    )


def _check_padding(normalizer, batch, weights):
    """Law 2."""
    energies, mask = batch["energies"], batch["value_mask"][:, None]
    noise = np.where(mask, energies, other_values(energies))
    assert_close(
        _weights(normalizer, {**batch, "energies": noise}),
        weights,
        "Padding is visible: other energies at masked places.",
    )

    def wider(x, value):
        around = [(0, 0)] * (x.ndim - 1) + [(0, 2)]
        return np.pad(x, around, constant_values=value)

    wide = {
        "energies": wider(energies, 7),
        "value_mask": wider(batch["value_mask"], False),
        "state": wider(batch["state"], 0) if normalizer.has_state else None,
    }
    assert_close(
        _weights(normalizer, wide)[..., : energies.shape[-1]],
        weights,
        "Padding is visible: more masked places.",
    )


def _check_neighbours(normalizer, batch, weights):
    """Law 3."""
    rows = other_rows(len(weights))
    assert_close(
        _weights(normalizer, rows_of(batch, rows)),
        weights[rows],
        "Neighbours are visible: a row beside others.",
    )


def _check_queries(normalizer, batch, weights):
    for i in range(weights.shape[1]):
        alone = {**batch, "energies": batch["energies"][:, i : i + 1]}
        if normalizer.has_state:
            alone["state"] = batch["state"][:, i : i + 1]
        assert_close(
            _weights(normalizer, alone)[:, 0],
            weights[:, i],
            f"Other queries are visible: query {i} alone.",
        )


def _check_state(normalizer, batch, weights):
    rows, queries, places = weights.shape
    value = ops.convert_to_tensor(normal(rows, places, 4))
    first = to_numpy(normalizer.first_state(value))
    check(
        first.shape == (rows, places),
        f"First state of shape {first.shape}, not {(rows, places)}.",
    )
    given = np.repeat(first[:, None], queries, axis=1)
    assert_close(
        _weights(normalizer, {**batch, "state": given}),
        _weights(normalizer, {**batch, "state": None}),
        "The first state, given.",
    )
    state = ops.convert_to_tensor(batch["state"])
    new = to_numpy(normalizer.next_state(state, tensors(weights), value))
    check(
        new.shape == weights.shape,
        f"Next state of shape {new.shape}, not {weights.shape}.",
    )
    for i in range(queries):
        alone = state[:, i : i + 1], tensors(weights[:, i : i + 1])
        assert_close(
            to_numpy(normalizer.next_state(*alone, value)),
            new[:, i : i + 1],
            f"Next state of query {i} alone.",
        )


def _check_noise(normalizer, batch, weights):
    """Law 12: what is random is drawn before the loop."""
    noise = normalizer.draw_noise(weights.shape)
    if noise is not None:
        shape = tuple(noise.shape)
        check(
            shape == weights.shape,
            f"Noise of shape {shape}, not {weights.shape}.",
        )
        assert_close(
            _weights(normalizer, batch, noise=noise),
            weights,
            "Noise acts outside of training.",
        )
    kwargs = {"noise": noise, "training": True}
    trained = _weights(normalizer, batch, **kwargs)
    check(np.all(np.isfinite(trained)), "Not finite: weights in training.")
    hidden = ~batch["value_mask"][:, None]
    check(not np.any(trained * hidden), "A masked place has a weight.")
    assert_close(
        _weights(normalizer, batch, **kwargs),
        trained,
        "A call draws something at random.",
        tolerance=0,
    )


def _check_half_precision(normalizer, policy, batch):
    config = with_policy(normalizer.get_config(), policy)
    half = type(normalizer).from_config(config)
    most = np.where(batch["energies"] > 0, 6e4, -6e4)
    for energies in (batch["energies"], most.astype("float32")):
        x = floats_as({**batch, "energies": energies}, half.compute_dtype)
        weights = to_numpy(half(**x))
        assert_finite(weights, f"weights under {policy}")
        hidden = ~batch["value_mask"][:, None]
        check(not np.any(weights * hidden), "A masked place has a weight.")
