import keras
from keras import ops

from keras_seq2seq.ops import repeat_rows
from keras_seq2seq.ops import reshape_like
from keras_seq2seq.ops import row_count
from keras_seq2seq.ops import states_like
from keras_seq2seq.search.constraints.constraint import Constraint
from keras_seq2seq.search.constraints.step_context import StepContext
from keras_seq2seq.search.problem import Problem
from keras_seq2seq.search.size import check_search_size
from keras_seq2seq.search.size import check_states_size
from keras_seq2seq.search.special import IMPOSSIBLE
from keras_seq2seq.search.special import may_follow
from keras_seq2seq.utils import registry
from keras_seq2seq.utils.checks import check_not_above
from keras_seq2seq.utils.sizes import check_dimension


class Search:
    """Abstract search: from a step function to finished hypotheses.

    A search knows a step function, never a model. The memory of the encoder
    is hidden in that function, so no search can copy it. A subclass fills
    `_first_record`, `_advance` and `_result`: the loop between them runs
    until no row of the record is left that is not `done`.

    Constraints forbid tokens step by step. Nothing is renormalized, so scores
    stay those of the model. Where all continuations of a row are forbidden,
    the row ends: it keeps the hypotheses it has finished, if any. A hypothesis
    that is cut at `max_length`, where one of them does not let it stop, has
    not finished: where none has, the answer is empty.

    Args:
        max_length: Integer. Longest hypothesis in tokens, the end token
            counted; there a hypothesis is cut. Defaults to `100`.
        min_length: Integer. Shortest hypothesis in tokens, the end token
            counted. Defaults to `0`.
        constraints: List of names, configs or instances of `Constraint`.
            Defaults to none.

    Call arguments:
        step: Function of `(token_ids, states, index)`, with integers of shape
            `(rows,)`, nested tensors of shape `(rows, ...)` and an integer
            scalar, that gives logits `(rows, vocabulary_size)` and states;
            then, where the search's `needs_attention` is true, attention
            scores `(rows, Tv)`. `rows` is `batch_size` times the number of
            hypotheses of a source.
        states: First states, of `batch_size` rows. They are repeated for the
            hypotheses of a source and follow them, but for what stands in a
            dict under `"in_place"`: that is the step's own affair.
        start_token_id, end_token_id, pad_token_id: Integers.
        inputs: Dict with the tensors named in `input_names`, the batch in
            front. Defaults to `None`, for a search that names none.
        return_log_probs: Boolean. Defaults to `False`.

    Returns:
        Dict of `token_ids` `(batch_size, n_best, max_length)`, padded after
        the end token, `lengths` `(batch_size, n_best)`, the end token counted,
        and `scores` `(batch_size, n_best)`, best first. A place without a
        hypothesis has length 0 and score -1e9. Then, where they were asked
        for, `log_probs` `(batch_size, n_best, max_length)` of the tokens, zero
        after the end token, and `total_log_probs` `(batch_size, n_best)`.
    """

    n_best = 1
    n_best_argument = None  # what sets it
    width = 1  # hypotheses of a source that are alive at a time
    width_argument = None  # what sets it
    needs_attention = False
    distinct = True  # no two hypotheses of a source are equal

    def __init__(self, max_length=100, *, min_length=0, constraints=()):
        self.max_length = check_dimension(max_length, "max_length")
        self.min_length = check_dimension(min_length, "min_length", 0)
        check_not_above(min_length, "min_length", max_length, "max_length")
        if not isinstance(constraints, (list, tuple)):
            raise TypeError(
                "`constraints` must be a list. Received: constraints of type "
                f"`{type(constraints).__name__}`. Put one into a list."
            )
        self.constraints = [
            registry.get(entry, Constraint, f"constraints[{place}]")
            for place, entry in enumerate(constraints)
        ]
        check_search_size(self)

    @property
    def strategies(self):
        """All parts that may name inputs."""
        return list(self.constraints)

    @property
    def input_names(self):
        """Names of the data inputs of a call, as a tuple."""
        names = [name for part in self.strategies for name in part.input_names]
        return tuple(dict.fromkeys(names))

    def __call__(
        self,
        step,
        states,
        *,
        start_token_id,
        end_token_id,
        pad_token_id,
        inputs=None,
        return_log_probs=False,
    ):
        check_search_size(self, row_count(states))
        check_states_size(self, states)
        inputs = self._checked(inputs or {})
        _check_rows(inputs, row_count(states))
        repeated = repeat_rows(inputs, self.width)
        special = start_token_id, end_token_id, pad_token_id
        problem = Problem(step, *special, inputs, repeated, return_log_probs)
        record = ops.while_loop(
            lambda record: ~ops.all(record["done"]),
            lambda record: self._advance(problem, record),
            self._first_record(problem, states),
            maximum_iterations=self.max_length,
        )
        return self._result(problem, record)

    def _checked(self, inputs):
        missing = [name for name in self.input_names if name not in inputs]
        if missing:
            raise ValueError(
                f"The search needs the inputs {list(self.input_names)}. "
                f"Received: inputs={sorted(inputs)}. Add {missing}, with the "
                "batch in front."
            )
        tensors = {
            name: ops.convert_to_tensor(inputs[name])
            for name in self.input_names
        }
        for part in self.strategies:
            part.check_inputs(tensors, self.max_length)
        return tensors

    def _first_record(self, problem, states):
        rows = row_count(states) * self.width
        return {
            "index": ops.convert_to_tensor(0, "int32"),
            "last": ops.full((rows,), problem.start_token_id, "int32"),
            "states": repeat_rows(states, self.width),
            "constraints": [
                constraint.first_state(rows, self.max_length)
                for constraint in self.constraints
            ],
        }

    def _advance(self, problem, record):
        """The record after one more step, of the same structure."""
        raise NotImplementedError

    def _result(self, problem, record):
        raise NotImplementedError

    def _step(self, problem, record):
        """Float32 logits, states as the loop wants them, and attention."""
        logits, states, *rest = problem.step(
            record["last"], record["states"], record["index"]
        )
        if self.needs_attention and not rest:
            raise ValueError(
                "The search needs attention scores `(rows, Tv)` as the third "
                "result of `step`. Received: logits and states alone. Leave "
                "`coverage_penalty` out, or use a decoder that attends."
            )
        states = states_like(states, record["states"])
        return ops.cast(logits, "float32"), states, rest[0] if rest else None

    def _log_probs(self, logits, record, problem):
        """Log-probabilities `(rows, vocabulary_size)` to choose from."""
        log_probs = logits - ops.logsumexp(logits, axis=-1, keepdims=True)
        context = StepContext(
            record["index"],
            problem.row_inputs,
            problem.end_token_id,
            problem.pad_token_id,
        )
        for constraint, state in zip(self.constraints, record["constraints"]):
            log_probs = constraint(log_probs, state, context)
        allowed = may_follow(
            ops.arange(logits.shape[-1], dtype="int32"),
            record["index"],
            problem,
            self.min_length,
        )
        return ops.where(allowed, log_probs, IMPOSSIBLE)

    def _next_constraints(self, states, token_ids, index):
        """States of the constraints after `token_ids`, of shape `(rows,)`."""
        return [
            keras.tree.map_structure(
                reshape_like,
                constraint.next_state(state, token_ids, index),
                state,
            )
            for constraint, state in zip(self.constraints, states)
        ]

    def get_config(self):
        return {
            "max_length": self.max_length,
            "min_length": self.min_length,
            "constraints": [
                registry.config_of(constraint)
                for constraint in self.constraints
            ],
        }

    @classmethod
    def from_config(cls, config):
        return cls(**config)

    def replace(self, **changes):
        """A search of this class with some arguments changed."""
        return self.from_config({**self.get_config(), **changes})

    def with_n_best(self, n_best):
        """The search, or one like it, that returns `n_best` hypotheses."""
        if n_best == self.n_best:
            return self
        if self.n_best_argument is not None:
            return self.replace(**{self.n_best_argument: n_best})
        raise ValueError(
            f"`n_best` must be {self.n_best} with a `{type(self).__name__}`. "
            f"Received: n_best={n_best!r}. Use `BeamSearch(...)` for more."
        )


def _check_rows(inputs, rows):
    """Raise where an input has other rows than the sources, as far as known."""
    for name, x in inputs.items():
        received = x.shape[0] if len(x.shape) else 0
        known = isinstance(rows, int) and received is not None
        if known and received != rows:
            raise ValueError(
                f"`{name}` must have one row a source, {rows}. Received: "
                f"{name} of shape {tuple(x.shape)}"
            )
