from keras import ops

from keras_seq2seq.ops import repeat_rows
from keras_seq2seq.ops import reshape_like
from keras_seq2seq.ops import row_count
from keras_seq2seq.ops import states_like
from keras_seq2seq.search.constraints.constraint import Constraint
from keras_seq2seq.search.constraints.states import first_states
from keras_seq2seq.search.constraints.states import next_states
from keras_seq2seq.search.data_inputs import checked_inputs
from keras_seq2seq.search.data_inputs import data_inputs
from keras_seq2seq.search.record import RECORD
from keras_seq2seq.search.record import first_record
from keras_seq2seq.search.search_part import SearchPart
from keras_seq2seq.search.size import check_search_size
from keras_seq2seq.search.special import IMPOSSIBLE
from keras_seq2seq.search.special import may_follow
from keras_seq2seq.search.step_checks import check_attended
from keras_seq2seq.search.step_checks import checked_floats
from keras_seq2seq.search.step_checks import checked_special
from keras_seq2seq.search.step_checks import checked_start
from keras_seq2seq.search.step_checks import checked_step
from keras_seq2seq.search.step_checks import checked_tensors
from keras_seq2seq.search.step_context import StepContext
from keras_seq2seq.utils import registry
from keras_seq2seq.utils.checks import check_not_above
from keras_seq2seq.utils.sizes import check_dimension


class Search(SearchPart):
    """Abstract search: from a step function to finished hypotheses.

    A search knows a step function, never a model. It repeats the states for
    its hypotheses and reorders them; the cache, where the memory of the encoder
    is, it hands on unseen, so no search can copy it. The loop hands a record
    from step to step until all of its rows are `done`: a subclass lists its
    `fields`, and fills `_advance` and `_results`.

    Constraints forbid tokens step by step. Nothing is renormalized, so scores
    stay those of the model. Where all continuations of a row are forbidden,
    the row ends: it keeps the hypotheses it has finished, if any. A hypothesis
    that is cut at `max_length`, where one of them does not let it stop, has
    not finished: where none has, there is no hypothesis.

    Args:
        max_length: Integer. Longest hypothesis in tokens, the end token
            counted; there a hypothesis is cut. Defaults to `100`.
        min_length: Integer. Shortest hypothesis in tokens, the end token
            counted. Defaults to `0`.
        constraints: List of names, configs or instances of `Constraint`.
            Defaults to none.

    Call arguments:
        step: Function of `(token_ids, states, cache, index)`, with integers of
            shape `(rows,)`, nested tensors of shape `(rows, ...)`, the cache
            and an integer scalar. It gives logits `(rows, vocabulary_size)`,
            new states, the new cache, and attention scores `(rows, Tv)`, or
            `None` where the search's `needs_attention` is false. `rows` is
            `batch_size` times the number of hypotheses of a source.
        states: First states, of `batch_size` rows.
        cache: Nested tensors of any shape; shapes and dtypes stay the same.
            Defaults to none.
        start_token_id, end_token_id, pad_token_id: Integers.
        start_token_ids: Integers of shape `(batch_size,)`, the tokens that the
            first step reads. Defaults to `None`: `start_token_id`.
        inputs: Dict with the tensors named in `input_names`, the batch in
            front. Defaults to `None`, for a search that names none.
        return_log_probs: Boolean. Defaults to `False`.

    Returns:
        Dict of `token_ids` `(batch_size, n_best, max_length)`, padded after
        the end token, `lengths` `(batch_size, n_best)`, the end token counted,
        and `scores` `(batch_size, n_best)`, best first. An entry without a
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
    fields = {}  # of the record, beside those of every search

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
        """All parts that may ask for inputs."""
        return list(self.constraints)

    @property
    def input_names(self):
        """Names of the data inputs of a call, as a tuple."""
        return tuple(data_inputs(self))

    def __call__(
        self,
        step,
        states,
        cache=(),
        *,
        start_token_id,
        end_token_id,
        pad_token_id,
        start_token_ids=None,
        inputs=None,
        return_log_probs=False,
    ):
        special = checked_special(
            start_token_id=start_token_id,
            end_token_id=end_token_id,
            pad_token_id=pad_token_id,
        )
        states, cache = checked_tensors(self, states, cache)
        rows = row_count(states)
        inputs = checked_inputs(self, inputs or {}, rows)
        start = checked_start(start_token_ids, start_token_id, rows)
        context = StepContext(
            index=0,
            inputs=repeat_rows(inputs, self.width),
            **special,
            start_token_ids=repeat_rows(start, self.width),
            source_inputs=inputs,
            step=checked_step(step),
            return_log_probs=return_log_probs,
        )
        record = ops.while_loop(
            lambda record: ~ops.all(record["done"]),
            lambda record: self._advance(
                record, context._replace(index=record["index"])
            ),
            self._first_record(states, cache, context),
            maximum_iterations=self.max_length,
        )
        return self._results(record, context)

    def _first_record(self, states, cache, context):
        batch_size = row_count(states)
        rows = batch_size * self.width
        carried = {
            "states": repeat_rows(states, self.width),
            "constraints": first_states(
                self.constraints, rows, self.max_length
            ),
        }
        if self.needs_attention:
            mask = context.inputs["memory_mask"]
            carried["attended"] = ops.zeros(ops.shape(mask), "float32")
        sizes = {
            "batch_size": batch_size,
            "rows": rows,
            "width": self.width,
            "n_best": self.n_best,
            "max_length": self.max_length,
        }
        first = first_record({**RECORD, **self.fields}, context, sizes)
        return {**first, "cache": cache, "carried": carried}

    def _advance(self, record, context):
        """The record after one more step, of the same structure."""
        raise NotImplementedError

    def _results(self, record, context):
        """What a call returns, from the last record."""
        raise NotImplementedError

    def _step(self, record, context):
        """Float32 logits, what is carried, with new states, and the cache."""
        carried = record["carried"]
        logits, states, cache, scores = context.step(
            record["last"], carried["states"], record["cache"], context.index
        )
        states = states_like(states, carried["states"])
        carried = {**carried, "states": states}
        if self.needs_attention:
            attended = carried["attended"]
            check_attended(scores, attended)
            carried["attended"] = attended + reshape_like(scores, attended)
        return ops.cast(logits, "float32"), carried, cache

    def _log_probs(self, logits, record, context):
        """Log-probabilities `(rows, vocabulary_size)` to choose from."""
        log_probs = logits - ops.logsumexp(logits, axis=-1, keepdims=True)
        states = record["carried"]["constraints"]
        for constraint, state in zip(self.constraints, states):
            new = constraint(log_probs, state, context)
            log_probs = checked_floats(new, log_probs.shape, constraint)
        token_ids = ops.arange(logits.shape[-1], dtype="int32")
        allowed = self._may_follow(token_ids, context)
        return ops.where(allowed, log_probs, IMPOSSIBLE)

    def _may_follow(self, token_ids, context):
        return may_follow(token_ids, context.index, context, self.min_length)

    def _carry(self, carried, token_ids, context):
        """What is carried, after `token_ids` of shape `(rows,)`."""
        constraints = next_states(
            self.constraints, carried["constraints"], token_ids, context.index
        )
        return {**carried, "constraints": constraints}

    def get_config(self):
        return {
            "max_length": self.max_length,
            "min_length": self.min_length,
            "constraints": [
                registry.config_of(constraint)
                for constraint in self.constraints
            ],
        }

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
