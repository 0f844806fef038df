import keras
import numpy as np
from keras import ops

from keras_seq2seq.search import Search
from keras_seq2seq.search.data_inputs import data_inputs
from keras_seq2seq.search.penalties import NonePenalty
from keras_seq2seq.testing.batches import own_batch
from keras_seq2seq.testing.batches import row_count
from keras_seq2seq.testing.checks import assert_close
from keras_seq2seq.testing.checks import assert_same_hypotheses
from keras_seq2seq.testing.checks import check
from keras_seq2seq.testing.checks import to_numpy
from keras_seq2seq.testing.fake_language import FakeLanguage
from keras_seq2seq.testing.serialization import run_serialization_test
from keras_seq2seq.utils.checks import check_type

SPECIAL = {"start_token_id": 1, "end_token_id": 2, "pad_token_id": 0}
VOCABULARY_SIZE, ROWS, LENGTH = 7, 6, 5


def run_search_test(search, batch=None):
    """Check the contract of a `Search`, with a step function of its own.

    Shapes and dtypes; best first; no duplicates; one end token at most and
    padding after it; the log-probabilities are those of the step function,
    and the score is their sum under the length penalty; rows do not see their
    neighbours; nothing is kept on the search; serialization.

    Args:
        search: `Search`, of scores that are those of the model. It is tested
            with a `max_length` of at most 5.
        batch: Dict of arrays, the search's data inputs, the rows in front.
            Defaults to `None`, for a search without any, of six rows.

    Example:

    >>> k2s.testing.run_search_test(k2s.search.GreedySearch())
    """
    check_type(search, "search", Search)
    run_serialization_test(search)
    search = search.replace(
        max_length=min(search.max_length, LENGTH),
        min_length=min(search.min_length, LENGTH),
    )
    language = FakeLanguage(VOCABULARY_SIZE)
    inputs = own_batch(batch or {}, data_inputs(search))
    rows = row_count(inputs) if inputs else ROWS
    states = language.first_states(rows)
    before = dict(vars(search))
    found = search(
        language.step,
        states,
        language.first_cache(),
        inputs=inputs,
        return_log_probs=True,
        **SPECIAL,
    )
    check(before == vars(search), "The search keeps something on itself.")
    arrays = to_numpy(found)
    check_shapes(arrays, rows, search)
    check_hypotheses(arrays, search)
    check_scores(arrays, language, states, search, inputs)
    _check_neighbours(arrays, language, states, search, inputs)


def _check_neighbours(arrays, language, states, search, inputs):
    """Two rows, in another order, without the others."""
    last = len(arrays["lengths"]) - 1
    order = np.array([min(3, last), min(1, last)])
    some = keras.tree.map_structure(
        lambda x: keras.ops.take(x, order, axis=0), states
    )
    inputs = {name: np.asarray(x)[order] for name, x in inputs.items()}
    assert_same_hypotheses(
        search(language.step, some, inputs=inputs, **SPECIAL),
        {name: x[order] for name, x in arrays.items()},
        "two rows without their neighbours",
    )


def check_shapes(found, rows, search):
    """Shapes and dtypes of what a search gives."""
    all_tokens = rows, search.n_best, search.max_length
    expected = {
        "token_ids": (all_tokens, "int32"),
        "log_probs": (all_tokens, "float32"),
        "lengths": ((rows, search.n_best), "int32"),
        "scores": ((rows, search.n_best), "float32"),
        "total_log_probs": ((rows, search.n_best), "float32"),
    }
    for name, what in expected.items():
        received = found[name].shape, str(found[name].dtype)
        check(received == what, f"`{name}` is {received}, not {what}.")


def check_hypotheses(found, search):
    """Format of all hypotheses: ends, padding, order, no duplicates."""
    check(np.all(np.diff(found["scores"], axis=1) <= 0), "Not best first.")
    for token_ids, lengths in zip(found["token_ids"], found["lengths"]):
        rows = [tuple(row) for row, n in zip(token_ids, lengths) if n]
        distinct = not search.distinct or len(set(rows)) == len(rows)
        check(distinct, f"Duplicates: {rows}.")
        for row, length in zip(token_ids, lengths):
            real, rest = row[:length], row[length:]
            check(not np.any(rest), f"No padding after the end: {row}.")
            check(
                not np.any(np.isin(real[:-1], (0, 1, 2))),
                f"A special token inside a hypothesis: {row}.",
            )
            check(
                length in (0, search.max_length) or real[-1] == 2,
                f"A short hypothesis without an end: {row}.",
            )
            long = length == 0 or length >= search.min_length
            check(long, f"Too short: {row}.")


def check_scores(found, language, states, search, inputs):
    """Log-probabilities of the language, and the score that they make."""
    token_ids, lengths = found["token_ids"], found["lengths"]
    start = np.full_like(token_ids[..., :1], SPECIAL["start_token_id"])
    prefixes = np.concatenate([start, token_ids], axis=-1)
    gains = np.zeros(token_ids.shape)
    for t in range(token_ids.shape[-1]):
        log_probs = language.log_probs(states, prefixes[..., : t + 1])
        chosen = token_ids[..., t, None]
        gain = np.take_along_axis(log_probs, chosen, axis=-1)[..., 0]
        gains[..., t] = np.where(t < lengths, gain, 0.0)
    totals = gains.sum(-1)
    for name, x in (("log_probs", gains), ("total_log_probs", totals)):
        assert_close(found[name], x.astype("float32"), name)
    penalty = getattr(search, "length_penalty", NonePenalty())
    scored = penalty(
        ops.array(totals, "float32"),
        ops.array(np.maximum(lengths, 1), "float32"),
        {name: ops.array(x) for name, x in inputs.items()},
    )
    expected = np.where(lengths > 0, to_numpy(scored), np.float32(-1e9))
    assert_close(found["scores"], expected, "scores")
