import keras
import numpy as np
from keras import ops

from keras_seq2seq.search import BeamSearch
from keras_seq2seq.search.constraints import Constraint
from keras_seq2seq.search.data_inputs import data_inputs
from keras_seq2seq.search.special import IMPOSSIBLE
from keras_seq2seq.search.step_context import StepContext
from keras_seq2seq.testing.batches import other_rows
from keras_seq2seq.testing.batches import own_batch
from keras_seq2seq.testing.batches import row_count
from keras_seq2seq.testing.batches import rows_of
from keras_seq2seq.testing.batches import tensors
from keras_seq2seq.testing.checks import EAGERLY
from keras_seq2seq.testing.checks import assert_close
from keras_seq2seq.testing.checks import check
from keras_seq2seq.testing.checks import check_state
from keras_seq2seq.testing.checks import to_numpy
from keras_seq2seq.testing.fake_language import FakeLanguage
from keras_seq2seq.testing.searches import LENGTH
from keras_seq2seq.testing.searches import ROWS
from keras_seq2seq.testing.searches import SPECIAL
from keras_seq2seq.testing.searches import VOCABULARY_SIZE
from keras_seq2seq.testing.searches import check_hypotheses
from keras_seq2seq.testing.searches import check_scores
from keras_seq2seq.testing.searches import check_shapes
from keras_seq2seq.testing.serialization import run_serialization_test
from keras_seq2seq.utils.checks import check_type

END = SPECIAL["end_token_id"]


def run_constraint_test(constraint, batch=None, *, only_forbids=True):
    """Check the contract of a `Constraint`, on tokens drawn at random.

    What is impossible stays so, and no log-probability rises above 0; a
    constraint that only forbids leaves the others alone, and forbids the same
    whatever the model says; neighbours are invisible; states keep their shapes
    and dtypes over the steps; steps are pure; `may_stop` gives one boolean a
    row; what a beam search finds in a compiled loop was not forbidden, and what
    is cut there may stop; serialization.

    Args:
        constraint: `Constraint`, for ids below 7: 0 is padding, 1 the start, 2
            the end token, and up to 5 tokens.
        batch: Dict of arrays, its data inputs, the rows in front. Defaults to
            `None`: six rows of what changes nothing.
        only_forbids: Boolean. `False` for a constraint that changes
            log-probabilities of what it allows. Defaults to `True`.

    Example:

    >>> ban = k2s.search.constraints.BannedTokens([4])
    >>> k2s.testing.run_constraint_test(ban)
    """
    check_type(constraint, "constraint", Constraint)
    run_serialization_test(constraint)
    search = BeamSearch(
        3, n_best=3, max_length=LENGTH, constraints=[constraint]
    )
    known = data_inputs(search)
    if batch is None:
        batch = {
            name: x.neutral_rows(ROWS, VOCABULARY_SIZE)
            for name, x in known.items()
        }
    batch = {  # of the dtypes that a search makes them
        name: x.astype(known[name].dtype or x.dtype)
        for name, x in own_batch(batch, known).items()
    }
    before = dict(vars(constraint))
    _walk(constraint, batch, only_forbids)
    check(before == vars(constraint), "A step changes the constraint.")
    _check_search(constraint, search, batch, only_forbids)


def _context(batch, index):
    index = ops.convert_to_tensor(index, "int32")
    special = SPECIAL["end_token_id"], SPECIAL["pad_token_id"]
    return StepContext(index, tensors(batch), *special)


def _walk(constraint, batch, only_forbids):
    """Tokens at random, among those that are allowed."""
    rng = np.random.default_rng(0)
    rows = row_count(batch) if batch else ROWS
    first = constraint.first_state(rows, LENGTH)
    state = first
    for index in range(LENGTH):
        logits = 2 * rng.normal(size=(rows, VOCABULARY_SIZE))
        log_probs = logits - np.log(np.exp(logits).sum(-1, keepdims=True))
        log_probs = log_probs.astype("float32")
        log_probs[rng.random(log_probs.shape) < 0.1] = IMPOSSIBLE
        after = _call(constraint, log_probs, state, batch, index)
        _check_step(log_probs, after)
        free = _call(constraint, 0 * log_probs, state, batch, index)
        if only_forbids:
            _check_ban(log_probs, after, free)
        _check_neighbours(constraint, log_probs, state, batch, index)
        drawn = [
            rng.choice(np.flatnonzero(row[3:] > IMPOSSIBLE / 2) + 3)
            if np.any(row[3:] > IMPOSSIBLE / 2)
            else END
            for row in free
        ]
        token_ids = ops.convert_to_tensor(np.array(drawn, "int32"))
        place = ops.convert_to_tensor(index, "int32")
        state = constraint.next_state(state, token_ids, place)
        check_state(state, first)
    _check_may_stop(constraint, state, batch, rows)


def _call(constraint, log_probs, state, batch, index):
    args = tensors(log_probs), state, _context(batch, index)
    after = to_numpy(constraint(*args))
    again = to_numpy(constraint(*args))
    assert_close(again, after, "The same step again.", tolerance=0)
    return after


def _check_step(log_probs, after):
    check(
        after.shape == log_probs.shape,
        f"Log-probabilities of shape {after.shape}, not {log_probs.shape}.",
    )
    check(after.max() <= 0, "A log-probability above 0.")
    impossible = log_probs <= IMPOSSIBLE / 2
    check(
        np.all(after[impossible] <= IMPOSSIBLE / 2),
        "What was impossible has become possible.",
    )


def _check_ban(log_probs, after, free):
    """Bans forbid: their order, and the model, make no difference."""
    allowed = after > IMPOSSIBLE / 2
    check(
        np.array_equal(after[allowed], log_probs[allowed]),
        "The log-probability of what is allowed has changed. Pass "
        "`only_forbids=False` if it is to.",
    )
    possible = (log_probs > IMPOSSIBLE / 2) & (free > IMPOSSIBLE / 2)
    check(
        np.array_equal(allowed, possible),
        "What is forbidden depends on the model's log-probabilities.",
    )


def _check_neighbours(constraint, log_probs, state, batch, index):
    """Law 3."""
    rows = other_rows(len(log_probs))
    assert_close(
        _call(
            constraint,
            log_probs[rows],
            _rows_of_state(state, rows),
            rows_of(batch, rows),
            index,
        ),
        _call(constraint, log_probs, state, batch, index)[rows],
        "Neighbours are visible: a row beside others.",
    )


def _rows_of_state(state, rows):
    return keras.tree.map_structure(
        lambda x: ops.take(x, tensors(rows), axis=0), state
    )


def _check_may_stop(constraint, state, batch, rows):
    free = np.zeros((rows, VOCABULARY_SIZE), "float32")

    def verdict(state, batch, count):
        args = tensors(free[:count]), state, _context(batch, LENGTH)
        return to_numpy(constraint.may_stop(*args))

    found = verdict(state, batch, rows)
    what = found.shape, found.dtype.name
    check(
        what == ((rows, 1), "bool"),
        f"`may_stop` gives {what}, not booleans of shape {(rows, 1)}.",
    )
    order = other_rows(rows)
    count = min(len(order), rows)
    order = order[:count]
    assert_close(
        verdict(_rows_of_state(state, order), rows_of(batch, order), count),
        found[order],
        "Neighbours are visible to `may_stop`: a row beside others.",
    )


class CompiledSearch(keras.Model):
    """A search in a model, which Keras compiles."""

    def __init__(self, search, step):
        super().__init__()
        self.search = search
        self.step = step

    def call(self, inputs):
        return self.search(
            self.step,
            inputs["states"],
            inputs=inputs["inputs"],
            return_log_probs=True,
            **SPECIAL,
        )


def _check_search(constraint, search, batch, only_forbids):
    language = FakeLanguage(VOCABULARY_SIZE)
    rows = row_count(batch) if batch else ROWS
    states = language.first_states(rows)
    model = CompiledSearch(search, language.step)
    model.compile(jit_compile=not EAGERLY)
    inputs = {"states": to_numpy(states), "inputs": batch}
    found = to_numpy(model.predict_on_batch(inputs))
    check_shapes(found, rows, search)
    check_hypotheses(found, search)
    if only_forbids:
        check_scores(found, language, states, search, batch)
    for k in range(search.n_best):
        token_ids, lengths = found["token_ids"][:, k], found["lengths"][:, k]
        _check_hypotheses(constraint, token_ids, lengths, batch)


def _check_hypotheses(constraint, token_ids, lengths, batch):
    """What a search finds was not forbidden."""
    rows = len(token_ids)
    state = constraint.first_state(rows, LENGTH)
    free = np.zeros((rows, VOCABULARY_SIZE), "float32")
    for t in range(LENGTH):
        after = to_numpy(constraint(tensors(free), state, _context(batch, t)))
        chosen = after[np.arange(rows), token_ids[:, t]]
        fine = (t >= lengths) | (chosen > IMPOSSIBLE / 2)
        check(np.all(fine), f"A search finds what is forbidden at place {t}.")
        place = ops.convert_to_tensor(t, "int32")
        state = constraint.next_state(state, tensors(token_ids[:, t]), place)
    cut = (lengths == LENGTH) & (token_ids[:, -1] != END)
    args = tensors(free), state, _context(batch, LENGTH)
    may_stop = to_numpy(constraint.may_stop(*args))[:, 0]
    check(np.all(may_stop | ~cut), "A hypothesis is cut that may not stop.")
