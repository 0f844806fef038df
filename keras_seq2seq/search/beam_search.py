import keras
from keras import ops

from keras_seq2seq.ops import flatten_beams
from keras_seq2seq.ops import gather_beams
from keras_seq2seq.ops import reshape_like
from keras_seq2seq.ops import select_rows
from keras_seq2seq.ops import write_time
from keras_seq2seq.search.backtrack import backtrack
from keras_seq2seq.search.candidates import best_by_logits
from keras_seq2seq.search.candidates import best_finished
from keras_seq2seq.search.candidates import best_of_each
from keras_seq2seq.search.candidates import divide
from keras_seq2seq.search.candidates import rank
from keras_seq2seq.search.cut import finishable
from keras_seq2seq.search.penalties.coverage import Coverage
from keras_seq2seq.search.penalties.length_penalty import LengthPenalty
from keras_seq2seq.search.record import BEAM_RECORD
from keras_seq2seq.search.search import Search
from keras_seq2seq.search.special import IMPOSSIBLE
from keras_seq2seq.search.special import possible
from keras_seq2seq.search.step_checks import checked_floats
from keras_seq2seq.utils import registry
from keras_seq2seq.utils.checks import check_not_above
from keras_seq2seq.utils.checks import check_positive
from keras_seq2seq.utils.sizes import check_dimension


@keras.saving.register_keras_serializable("keras_seq2seq")
class BeamSearch(Search):
    """Beam search that keeps finished hypotheses apart from live ones.

    At each step the best `2 * num_beams` continuations of the live beams are
    ranked by log-probability. Of the first `num_beams`, those that end (by the
    end token, or by `max_length`) become finished hypotheses, whose score never
    changes again; the best `num_beams` that do not end live on. The search
    stops when no live beam can still beat the worst of the `n_best` kept, by a
    bound that is exact for every penalty. `patience` makes it a heuristic: the
    search may stop before.

    The score is `length_penalty(log P, length) + coverage_penalty`. Coverage
    counts where hypotheses are finished; live beams are ranked without it.

    Args:
        num_beams: Integer. Number of live hypotheses. Defaults to `5`.
        max_length: Integer. Longest hypothesis in tokens, the end token
            counted; there a hypothesis is cut. Defaults to `100`.
        min_length: Integer. Shortest hypothesis in tokens, the end token
            counted. Defaults to `0`.
        length_penalty: Name (`"none"`, `"avg"`, `"wu"`, `"brevity"`), config
            or instance of a `LengthPenalty`. Defaults to `"none"`.
        coverage_penalty: Name (`"wu"`, `"summary"`), config or instance of a
            `Coverage`. Defaults to `None`.
        patience: Float above 0. The search of a row also stops when it has
            finished `patience * num_beams` hypotheses. Defaults to `None`: by
            the bound alone.
        n_best: Integer, at most `num_beams`. Number of hypotheses to return.
            Defaults to `1`.
        constraints: List of names, configs or instances of `Constraint`.
            Defaults to none.

    Example:

    >>> logits = keras.ops.log(np.array([[0.0, 0.0, 0.4, 0.6]] * 10))
    >>> search = k2s.search.BeamSearch(num_beams=5, max_length=3, n_best=2)
    >>> def step(token_ids, states, cache, index):
    ...     return logits, states, cache, None
    >>> results = search(
    ...     step,
    ...     states=keras.ops.zeros((2, 1)),
    ...     start_token_id=1, end_token_id=2, pad_token_id=0,
    ... )
    >>> keras.ops.convert_to_numpy(results["token_ids"][0]).tolist()
    [[2, 0, 0], [3, 2, 0]]

    References:
        - [Wu et al., 2016](https://arxiv.org/abs/1609.08144), section 7
        - [Kasai et al., 2022](https://arxiv.org/abs/2204.05424), patience
    """

    n_best_argument = "n_best"
    width_argument = "num_beams"
    num_groups = 1
    fields = BEAM_RECORD

    def __init__(
        self,
        num_beams=5,
        *,
        max_length=100,
        min_length=0,
        length_penalty="none",
        coverage_penalty=None,
        patience=None,
        n_best=1,
        constraints=(),
    ):
        self.num_beams = self.width = check_dimension(num_beams, "num_beams")
        super().__init__(
            max_length, min_length=min_length, constraints=constraints
        )
        self.n_best = check_dimension(n_best, "n_best")
        check_not_above(n_best, "n_best", num_beams, "num_beams")
        self.length_penalty = registry.get(
            length_penalty, LengthPenalty, "length_penalty"
        )
        self.coverage_penalty = (
            None
            if coverage_penalty is None
            else registry.get(coverage_penalty, Coverage, "coverage_penalty")
        )
        self.needs_attention = coverage_penalty is not None
        if patience is not None:
            check_positive(patience, "patience")
        self.patience = patience

    @property
    def group_size(self):
        return self.num_beams // self.num_groups

    @property
    def strategies(self):
        penalties = [self.length_penalty, self.coverage_penalty]
        return [*filter(None, penalties), *self.constraints]

    def _first_record(self, states, cache, context):
        # One real beam a group.
        first = super()._first_record(states, cache, context)
        number = ops.arange(self.num_beams, dtype="int32") % self.group_size
        empty = ops.cast(number > 0, "float32") * IMPOSSIBLE
        return {**first, "live": first["live"] + empty}

    def _advance(self, record, context):
        """One step: continue, finish, live on, and see whether to stop."""
        index = context.index
        logits, carried, cache = self._step(record, context)
        ended, live = self._choose(logits, record, context)
        finished, count = self._finish(ended, carried, record, context)
        tokens = reshape_like(flatten_beams(live["tokens"]), record["last"])
        carried = self._reorder(carried, live["parents"])
        return {
            "index": index + 1,
            "last": tokens,
            "cache": cache,
            "carried": self._carry(carried, tokens, context),
            "live": live["scores"],
            "history": {
                name: write_time(x, index, live[name])
                for name, x in record["history"].items()
            },
            "finished": finished,
            "count": count,
            "done": record["done"]
            | self._is_over(live, finished, context)
            | self._has_enough(count),
        }

    def _reorder(self, carried, parents):
        """What is carried, in a new order of beams.

        Args:
            carried: Nested tensors, `batch_size * num_beams` rows each.
            parents: Integer tensor of shape `(batch_size, num_beams)`.
        """
        return select_rows(carried, parents, self.num_beams)

    def _choose(self, logits, record, context):
        """Candidates that end, and the beams that live on."""
        beams, n = self.num_beams, 2 * self.num_beams
        if self.constraints:
            log_probs = self._log_probs(logits, record, context)
            log_probs, tokens = best_of_each(log_probs, beams, n)
        else:
            log_probs, tokens = best_by_logits(
                logits, beams, n, lambda ids: self._may_follow(ids, context)
            )
        ranked = rank(log_probs, tokens, record["live"])
        return self._divide(ranked, record, context, logits.shape[-1])

    def _divide(self, ranked, record, context, vocabulary_size):
        """The ranked candidates that end, and those that live on."""
        states = record["carried"]["constraints"]
        candidates, order = finishable(
            self, *ranked, states, context, vocabulary_size
        )
        ended = candidates["tokens"] == context.end_token_id
        ended = ended | (context.index + 1 >= self.max_length)
        return divide(candidates, order, ended, self.group_size)

    def _finish(self, ended, carried, record, context):
        """The `n_best` finished hypotheses, and how many there have been."""
        done = ops.expand_dims(record["done"], 1)
        counts = possible(ended["scores"]) & ~done
        length = context.index + 1
        scores = self._scores(ended["scores"], length, context)
        if self.needs_attention:
            mask = ops.cast(context.inputs["memory_mask"], "bool")
            attended, part = carried["attended"], self.coverage_penalty
            coverage = part(attended, mask)
            coverage = checked_floats(coverage, attended.shape[:1], part)
            coverage = ops.reshape(coverage, (-1, self.num_beams))
            scores = scores + gather_beams(coverage, ended["parents"])
        ended = {
            **ended,
            "scores": ops.where(counts, scores, IMPOSSIBLE),
            "lengths": ops.zeros_like(ended["tokens"]) + length,
        }
        count = ops.sum(ops.cast(counts, "int32"), axis=1)
        finished = best_finished(record["finished"], ended)
        return finished, record["count"] + count

    def _is_over(self, live, finished, context):
        """Whether no live beam can beat the worst finished hypothesis.

        A log-probability only falls, a length penalty is monotone in the
        length, and a coverage penalty is at most 0: so the best that a beam
        can reach lies at one end of the lengths left.
        """
        best = ops.max(live["scores"], axis=1, keepdims=True)
        bound = ops.maximum(
            self._scores(best, context.index + 2, context),
            self._scores(best, self.max_length, context),
        )
        worst = finished["scores"][:, -1:]
        return ops.squeeze(~possible(best) | (worst >= bound), 1)

    def _has_enough(self, count):
        if self.patience is None:
            return ops.zeros_like(count, "bool")
        return ops.cast(count, "float32") >= self.patience * self.num_beams

    def _scores(self, log_probs, length, context):
        length = ops.cast(length, "float32")
        part = self.length_penalty
        scores = part(log_probs, length, context.source_inputs)
        return checked_floats(scores, log_probs.shape, part)

    def _results(self, record, context):
        return backtrack(record, context.pad_token_id)

    def get_config(self):
        config, coverage = registry.config_of, self.coverage_penalty
        return {
            **super().get_config(),
            "num_beams": self.num_beams,
            "length_penalty": config(self.length_penalty),
            "coverage_penalty": coverage and config(coverage),
            "patience": self.patience,
            "n_best": self.n_best,
        }
