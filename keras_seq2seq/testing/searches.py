import keras
import numpy as np

from keras_seq2seq.testing.checks import assert_close
from keras_seq2seq.testing.checks import assert_same_hypotheses
from keras_seq2seq.testing.checks import check
from keras_seq2seq.testing.checks import to_numpy
from keras_seq2seq.testing.fake_language import FakeLanguage
from keras_seq2seq.testing.serialization import run_serialization_test

SPECIAL = {"start_token_id": 1, "end_token_id": 2, "pad_token_id": 0}
VOCABULARY_SIZE, ROWS, LENGTH = 7, 6, 5


def run_search_test(search):
    """Check the contract of a `Search`, with a step function of its own.

    Shapes and dtypes; best first; no duplicates; one end token at most and
    padding after it; the score is the sum of the log-probabilities over the
    length penalty; rows do not see their neighbours; nothing is kept on the
    search; serialization.

    Args:
        search: `Search`. It is tested with a `max_length` of at most 5.

    Example:

    >>> k2s.testing.run_search_test(k2s.search.GreedySearch())
    """
    run_serialization_test(search)
    search = search.replace(
        max_length=min(search.max_length, LENGTH),
        min_length=min(search.min_length, LENGTH),
    )
    language = FakeLanguage(VOCABULARY_SIZE)
    states = language.first_states(ROWS)
    before = dict(vars(search))
    found = search(language.step, states, **SPECIAL)
    check(before == vars(search), "The search keeps something on itself.")
    arrays = to_numpy(found)
    check_shapes(arrays, ROWS, search)
    check_hypotheses(arrays, search.max_length, search.min_length)
    check_scores(arrays, language, states, search)

    order = np.array([3, 1])
    some = keras.tree.map_structure(
        lambda x: keras.ops.take(x, order, axis=0), states
    )
    assert_same_hypotheses(
        search(language.step, some, **SPECIAL),
        {name: x[order] for name, x in arrays.items()},
        "two rows without their neighbours",
    )


def check_shapes(found, rows, search):
    """Shapes and dtypes of what a search gives."""
    expected = {
        "token_ids": ((rows, search.n_best, search.max_length), "int32"),
        "lengths": ((rows, search.n_best), "int32"),
        "scores": ((rows, search.n_best), "float32"),
    }
    for name, what in expected.items():
        received = found[name].shape, str(found[name].dtype)
        check(received == what, f"`{name}` is {received}, not {what}.")


def check_hypotheses(found, max_length, min_length=0):
    """Format of all hypotheses: ends, padding, order, no duplicates."""
    check(np.all(np.diff(found["scores"], axis=1) <= 0), "Not best first.")
    for token_ids, lengths in zip(found["token_ids"], found["lengths"]):
        rows = [tuple(row) for row, n in zip(token_ids, lengths) if n]
        check(len(set(rows)) == len(rows), f"Duplicates: {rows}.")
        for row, length in zip(token_ids, lengths):
            real, rest = row[:length], row[length:]
            check(not np.any(rest), f"No padding after the end: {row}.")
            check(
                not np.any(np.isin(real[:-1], (0, 1, 2))),
                f"A special token inside a hypothesis: {row}.",
            )
            check(
                length in (0, max_length) or real[-1] == 2,
                f"A short hypothesis without an end: {row}.",
            )
            check(length == 0 or length >= min_length, f"Too short: {row}.")


def check_scores(found, language, states, search):
    """Each score is the sum of its log-probabilities over the penalty."""
    token_ids, lengths = found["token_ids"], found["lengths"]
    start = np.full_like(token_ids[..., :1], SPECIAL["start_token_id"])
    prefixes = np.concatenate([start, token_ids], axis=-1)
    total = np.zeros(lengths.shape)
    for t in range(token_ids.shape[-1]):
        log_probs = language.log_probs(states, prefixes[..., : t + 1])
        chosen = token_ids[..., t, None]
        gain = np.take_along_axis(log_probs, chosen, axis=-1)[..., 0]
        total += np.where(t < lengths, gain, 0.0)
    name = getattr(search, "length_penalty", "none")
    alpha = getattr(search, "alpha", 0.0)
    penalty = {
        "none": np.ones(lengths.shape),
        "avg": np.maximum(lengths, 1),
        "wu": ((5.0 + lengths) / 6.0) ** alpha,
    }[name]
    expected = np.where(lengths > 0, total / penalty, -1e9)
    assert_close(found["scores"], expected.astype("float32"), "scores")
