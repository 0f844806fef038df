import keras
from keras import ops

from keras_seq2seq.ops import flatten_beams
from keras_seq2seq.ops import gather_beams
from keras_seq2seq.ops import reshape_like
from keras_seq2seq.ops import select_rows
from keras_seq2seq.ops import write_time
from keras_seq2seq.search.backtrack import backtrack
from keras_seq2seq.search.beam_record import best_finished
from keras_seq2seq.search.beam_record import first_beams
from keras_seq2seq.search.beam_record import first_live
from keras_seq2seq.search.candidates import best_by_logits
from keras_seq2seq.search.candidates import best_of_each
from keras_seq2seq.search.candidates import divided
from keras_seq2seq.search.candidates import ranked
from keras_seq2seq.search.cut import finishable
from keras_seq2seq.search.penalties.coverage import Coverage
from keras_seq2seq.search.penalties.length_penalty import LengthPenalty
from keras_seq2seq.search.search import Search
from keras_seq2seq.search.special import IMPOSSIBLE
from keras_seq2seq.search.special import may_follow
from keras_seq2seq.search.special import possible
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
    >>> found = search(
    ...     lambda token_ids, states, index: (logits, states),
    ...     states=keras.ops.zeros((2, 1)),
    ...     start_token_id=1, end_token_id=2, pad_token_id=0,
    ... )
    >>> keras.ops.convert_to_numpy(found["token_ids"][0]).tolist()
    [[2, 0, 0], [3, 2, 0]]

    References:
        - [Wu et al., 2016](https://arxiv.org/abs/1609.08144), section 7
        - [Kasai et al., 2022](https://arxiv.org/abs/2204.05424), patience
    """

    n_best_argument = "n_best"
    width_argument = "num_beams"
    num_groups = 1

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
    def strategies(self):
        penalties = [self.length_penalty, self.coverage_penalty]
        return [*filter(None, penalties), *self.constraints]

    def _first_record(self, problem, states):
        first = super()._first_record(problem, states)
        rows = ops.shape(first["last"])[0] // self.num_beams
        live = first_live(self.num_beams, self.num_groups)
        first["live"] = ops.broadcast_to(live, (rows, self.num_beams))
        if self.needs_attention:
            mask = problem.row_inputs["memory_mask"]
            first["attended"] = ops.zeros(ops.shape(mask), "float32")
        return {**first, **first_beams(rows, self, problem)}

    def _advance(self, problem, record):
        """One step: continue, finish, live on, and see whether to stop."""
        index = record["index"]
        carried = {name: record[name] for name in self._carried}
        logits, carried["states"], attention = self._step(problem, record)
        if self.needs_attention:
            attention = reshape_like(attention, carried["attended"])
            carried["attended"] = carried["attended"] + attention
        new, live = self._choose(logits, record, problem)
        finished, count = self._finish(new, record, problem, carried)
        carried = select_rows(carried, live["parents"], self.num_beams)
        tokens = reshape_like(flatten_beams(live["tokens"]), record["last"])
        return {
            **self._moved(carried, tokens, index),
            "index": index + 1,
            "last": tokens,
            "live": live["scores"],
            "history": {
                name: write_time(x, index, live[name])
                for name, x in record["history"].items()
            },
            "finished": finished,
            "count": count,
            "done": record["done"]
            | self._is_over(live, finished, problem, index)
            | self._has_enough(count),
        }

    @property
    def _carried(self):
        """What else is kept for each live beam, by name."""
        attended = ["attended"] if self.needs_attention else []
        return ["constraints", *attended]

    def _moved(self, carried, tokens, index):
        """What is carried, in the order of the new beams, after `tokens`."""
        constraints = self._next_constraints(
            carried["constraints"], tokens, index
        )
        return {**carried, "constraints": constraints}

    def _choose(self, logits, record, problem):
        """Candidates that end, and the beams that live on."""
        beams, index, size = self.num_beams, record["index"], logits.shape[-1]
        if self.constraints:
            log_probs = self._log_probs(logits, record, problem)
            values, tokens = best_of_each(log_probs, beams, 2 * beams)
        else:
            values, tokens = best_by_logits(
                logits,
                beams,
                2 * beams,
                lambda ids: may_follow(ids, index, problem, self.min_length),
            )
        found = ranked(values, tokens, record["live"])
        candidates, order = finishable(self, *found, record, problem, size)
        ended = self._ended(candidates, index, problem)
        return divided(candidates, order, ended, beams)

    def _ended(self, candidates, index, problem):
        is_end = candidates["tokens"] == problem.end_token_id
        return is_end | (index + 1 >= self.max_length)

    def _finish(self, new, record, problem, carried):
        """The `n_best` finished hypotheses, and how many there have been."""
        counts = possible(new["scores"])
        counts = counts & ~ops.expand_dims(record["done"], 1)
        length = record["index"] + 1
        scores = self._scores(new["scores"], length, problem)
        if self.needs_attention:
            mask = ops.cast(problem.row_inputs["memory_mask"], "bool")
            coverage = self.coverage_penalty(carried["attended"], mask)
            coverage = ops.reshape(coverage, (-1, self.num_beams))
            scores = scores + gather_beams(coverage, new["parents"])
        new = {
            **new,
            "scores": ops.where(counts, scores, IMPOSSIBLE),
            "lengths": ops.zeros_like(new["tokens"]) + length,
        }
        count = ops.sum(ops.cast(counts, "int32"), axis=1)
        finished = best_finished(record["finished"], new)
        return finished, record["count"] + count

    def _is_over(self, live, finished, problem, index):
        """Whether no live beam can beat the worst finished hypothesis.

        A log-probability only falls, a length penalty is monotone in the
        length, and a coverage penalty is at most 0: so the best that a beam
        can reach lies at one end of the lengths left.
        """
        best = ops.max(live["scores"], axis=1, keepdims=True)
        bound = ops.maximum(
            self._scores(best, index + 2, problem),
            self._scores(best, self.max_length, problem),
        )
        over = ~possible(best) | (finished["scores"][:, -1:] >= bound)
        return ops.squeeze(over, 1)

    def _has_enough(self, count):
        if self.patience is None:
            return ops.zeros_like(count, "bool")
        enough = self.patience * self.num_beams
        return ops.cast(count, "float32") >= enough

    def _scores(self, log_probs, length, problem):
        length = ops.cast(length, "float32")
        return self.length_penalty(log_probs, length, problem.inputs)

    def _result(self, problem, record):
        return backtrack(record, problem.pad_token_id)

    def get_config(self):
        config = registry.config_of
        coverage = self.coverage_penalty
        return {
            **super().get_config(),
            "num_beams": self.num_beams,
            "length_penalty": config(self.length_penalty),
            "coverage_penalty": coverage and config(coverage),
            "patience": self.patience,
            "n_best": self.n_best,
        }
