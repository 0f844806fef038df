import numpy as np
from keras import ops

from keras_seq2seq.layers import AttentionMechanism
from keras_seq2seq.testing.checks import assert_close
from keras_seq2seq.testing.checks import assert_finite
from keras_seq2seq.testing.checks import check
from keras_seq2seq.testing.checks import fresh
from keras_seq2seq.testing.checks import with_policy
from keras_seq2seq.testing.serialization import run_serialization_test

HALF = ("mixed_float16", "mixed_bfloat16")


def run_score_test(score, *, query_dim=6, value_dim=6):
    """Check the contract of an `AttentionScore`.

    Shapes; given keys equal computed ones; an energy depends on its own query
    and its own place of the value alone; half precision is finite, fully
    masked rows included; serialization.

    Args:
        score: `AttentionScore`. A copy of it is tested.
        query_dim, value_dim: Integers. Widths to test with.

    Example:

    >>> k2s.testing.run_score_test(k2s.layers.AdditiveScore(units=3))
    """
    run_serialization_test(score)
    score = fresh(score)
    rng = np.random.default_rng(0)
    query = rng.normal(size=(2, 3, query_dim)).astype("float32")
    value = rng.normal(size=(2, 5, value_dim)).astype("float32")
    energies = score(query, value)
    shape = tuple(energies.shape)
    check(shape == (2, 3, 5), f"Energies of shape {shape}, not (2, 3, 5).")
    inferred = tuple(score.compute_output_shape(query.shape, value.shape))
    check(shape == inferred, f"`compute_output_shape` says {inferred}.")

    keys = score.project_keys(ops.convert_to_tensor(value))
    assert_close(score(query, value, keys=keys), energies, "given keys")
    for i in range(3):
        for j in range(5):
            alone = score(query[:1, i : i + 1], value[:1, j : j + 1])
            assert_close(
                alone[0, 0, 0], energies[0, i, j], f"energy ({i}, {j}) alone"
            )
    for policy in HALF:
        _check_half_precision(score, policy, 8 * query, 8 * value)


def _check_half_precision(score, policy, query, value):
    config = with_policy(score.get_config(), policy)
    half = type(score).from_config(config)
    mask = np.array([[True, True, False, False, False], [False] * 5])
    context, weights = AttentionMechanism(half, dtype=policy)(
        query, value, value_mask=ops.convert_to_tensor(mask)
    )
    assert_finite((context, weights), f"attention under {policy}")
    zeros = np.zeros((3, 5), "float32")
    assert_close(
        ops.cast(weights[1], "float32"), zeros, "weights of a masked row"
    )
