import numpy as np
from keras import ops

from keras_seq2seq.layers import AttentionMechanism
from keras_seq2seq.layers import AttentionScore
from keras_seq2seq.testing.batches import normal
from keras_seq2seq.testing.batches import own_batch
from keras_seq2seq.testing.checks import HALF
from keras_seq2seq.testing.checks import assert_close
from keras_seq2seq.testing.checks import assert_finite
from keras_seq2seq.testing.checks import check
from keras_seq2seq.testing.checks import fresh
from keras_seq2seq.testing.checks import with_policy
from keras_seq2seq.testing.serialization import run_serialization_test
from keras_seq2seq.utils.checks import check_type

WIDTH = 6


def run_score_test(score, batch=None):
    """Check the contract of an `AttentionScore`.

    Shapes; given keys equal computed ones; an energy depends on its own query
    alone and, without a state, on its own place of the value alone; padding is
    invisible; of a score with a state, the first state and the next one, which
    depends on its own query alone; half precision is finite, fully masked rows
    included; serialization.

    Args:
        score: `AttentionScore`. A copy of it is tested.
        batch: Dict of `query`, floats of shape `(batch_size, Tq, query_dim)`,
            and `value`, of shape `(batch_size, Tv, value_dim)`. Defaults to
            `None`: two rows, both 6 wide.

    Example:

    >>> k2s.testing.run_score_test(k2s.layers.AdditiveScore(units=3))
    """
    check_type(score, "score", AttentionScore)
    run_serialization_test(score)
    score = fresh(score)
    default = {
        "query": normal(2, 3, WIDTH),
        "value": normal(2, 5, WIDTH, seed=1),
    }
    batch = own_batch(batch, default)
    query, value = batch["query"], batch["value"]
    # What the attention of an earlier step may be.
    rng = np.random.default_rng(0)
    places = np.ones(value.shape[1])
    state = rng.dirichlet(places, query.shape[:2]).astype("float32")
    arrays = query, value, state if score.has_state else None

    _check_shapes(score, query, value)
    _check_keys(score, *arrays)
    _check_queries(score, *arrays)
    _check_padding(score, *arrays)
    if score.has_state:
        _check_state(score, *arrays)
    else:
        _check_places(score, query, value)
    for policy in HALF:
        _check_half_precision(score, policy, 8 * query, 8 * value)


def _check_shapes(score, query, value):
    shape = tuple(score(query, value).shape)
    expected = _shape(query, value)
    check(shape == expected, f"Energies of shape {shape}, not {expected}.")
    inferred = tuple(score.compute_output_shape(query.shape, value.shape))
    check(shape == inferred, f"`compute_output_shape` says {inferred}.")


def _shape(query, value):
    """Shape of the energies, `(rows, Tq, Tv)`."""
    return (*query.shape[:2], value.shape[1])


def _keys(score, value):
    return score.project_keys(ops.convert_to_tensor(value))


def _check_keys(score, query, value, state):
    keys = _keys(score, value)
    given = score(query, value, keys=keys, state=state)
    assert_close(given, score(query, value, state=state), "given keys")


def _check_queries(score, query, value, state):
    energies = score(query, value, state=state)
    for row, i in np.ndindex(*query.shape[:2]):
        alone = score(
            query[row : row + 1, i : i + 1],
            value[row : row + 1],
            state=None if state is None else state[row : row + 1, i : i + 1],
        )
        assert_close(alone[0, 0], energies[row, i], f"query ({row}, {i}) alone")


def _check_places(score, query, value):
    energies = score(query, value)
    for j in range(value.shape[1]):
        alone = score(query, value[:, j : j + 1])
        assert_close(alone[..., 0], energies[..., j], f"place {j} alone")


def _check_padding(score, query, value, state):
    """Two more places, whose attention was zero."""
    wide = np.concatenate([value, 100 * value[:, :2] + 7], axis=1)
    if state is not None:
        new = score(query, wide, state=np.pad(state, [(0, 0), (0, 0), (0, 2)]))
    else:
        new = score(query, wide)
    energies = score(query, value, state=state)
    assert_close(
        new[..., : value.shape[1]], energies, "energies beside padding"
    )


def _check_state(score, query, value, state):
    first = score.first_state(ops.convert_to_tensor(value))
    (rows, queries, places), shape = _shape(query, value), tuple(first.shape)
    expected = rows, places
    check(shape == expected, f"First state of shape {shape}, not {expected}.")
    assert_close(
        score(query, value, state=ops.stack([first] * queries, axis=1)),
        score(query, value),
        "the first state, given",
    )
    keys, weights = _keys(score, value), ops.convert_to_tensor(state[:, ::-1])
    state = ops.convert_to_tensor(state)
    new = score.next_state(state, weights, keys)
    shape = tuple(new.shape)
    expected = rows, queries, places
    check(shape == expected, f"Next state of shape {shape}, not {expected}.")
    for i in range(queries):
        alone = score.next_state(
            state[:, i : i + 1], weights[:, i : i + 1], keys
        )
        assert_close(alone[:, 0], new[:, i], f"next state of query {i} alone")


def _check_half_precision(score, policy, query, value):
    config = with_policy(score.get_config(), policy)
    half = type(score).from_config(config)
    mask = np.zeros(value.shape[:2], bool)
    mask[0, :2] = True
    attention = AttentionMechanism(half, dtype=policy)
    state = []
    for step in range(2):
        context, weights, *state = attention(
            query,
            value,
            value_mask=ops.convert_to_tensor(mask),
            state=state[0] if state else None,
        )
        what = f"attention under {policy}, step {step}"
        assert_finite((context, weights, state), what)
        assert_close(
            ops.cast(weights[1:], "float32"),
            np.zeros(weights[1:].shape, "float32"),
            "weights of masked rows",
        )
