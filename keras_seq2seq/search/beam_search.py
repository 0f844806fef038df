import math

import keras
from keras import ops

from keras_seq2seq.ops import flatten_beams
from keras_seq2seq.ops import gather_beams
from keras_seq2seq.ops import length_penalty
from keras_seq2seq.ops import reshape_like
from keras_seq2seq.ops import select_rows
from keras_seq2seq.ops import top_k
from keras_seq2seq.ops import write_time
from keras_seq2seq.ops.penalties import LENGTH_PENALTIES
from keras_seq2seq.search.backtrack import backtrack
from keras_seq2seq.search.search import IMPOSSIBLE
from keras_seq2seq.search.search import Search
from keras_seq2seq.search.search import batch_size_of
from keras_seq2seq.search.search import may_follow
from keras_seq2seq.utils.checks import check_choice
from keras_seq2seq.utils.checks import check_integer


@keras.saving.register_keras_serializable("keras_seq2seq")
class BeamSearch(Search):
    """Beam search that keeps finished hypotheses apart from live ones.

    At each step the best `2 * num_beams` continuations of the live beams are
    ranked. Of the first `num_beams`, those that end (by the end token, or by
    `max_length`) become finished hypotheses, whose score never changes again;
    the best `num_beams` that do not end live on. The search stops when no live
    beam can still beat the worst of the `n_best` kept, by a bound that is
    exact. The score is `log P(hypothesis) / length_penalty(length)`.

    Args:
        num_beams: Integer. Number of live hypotheses. Defaults to `5`.
        max_length: Integer. Longest hypothesis in tokens, the end token
            counted; there a hypothesis is cut. Defaults to `100`.
        min_length: Integer. Shortest hypothesis in tokens, the end token
            counted. Defaults to `0`.
        length_penalty: `"none"`, `"avg"` (the mean log-probability of a
            token) or `"wu"` (`((5 + length) / 6) ** alpha`). Defaults to
            `"none"`.
        alpha: Float. Strength of `"wu"`. Defaults to `0.6`.
        n_best: Integer, at most `num_beams`. Number of hypotheses to return.
            Defaults to `1`.

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
    """

    def __init__(
        self,
        num_beams=5,
        *,
        max_length=100,
        min_length=0,
        length_penalty="none",
        alpha=0.6,
        n_best=1,
    ):
        super().__init__(max_length, min_length=min_length)
        self.num_beams = check_integer(num_beams, "num_beams", 1)
        self.length_penalty = check_choice(
            length_penalty, "length_penalty", LENGTH_PENALTIES
        )
        self.n_best = check_integer(n_best, "n_best", 1)
        if n_best > num_beams:
            raise ValueError(
                "`n_best` must not exceed `num_beams`. Received: "
                f"n_best={n_best}, num_beams={num_beams}"
            )
        if not isinstance(alpha, (int, float)) or not math.isfinite(alpha):
            raise ValueError(
                f"`alpha` must be a finite number. Received: alpha={alpha!r}"
            )
        self.alpha = alpha

    def __call__(
        self, step, states, *, start_token_id, end_token_id, pad_token_id
    ):
        special = start_token_id, end_token_id, pad_token_id
        record = ops.while_loop(
            lambda record: ~ops.all(record["done"]),
            lambda record: self._advance(step, record, special),
            self._first_record(states, special),
            maximum_iterations=self.max_length,
        )
        return backtrack(record, pad_token_id)

    def _first_record(self, states, special):
        start, _, pad = special
        rows, beams = batch_size_of(states), self.num_beams
        history = (self.max_length, rows, beams)
        alone = ops.cast(ops.arange(beams) > 0, "float32") * IMPOSSIBLE
        return {
            "index": ops.convert_to_tensor(0, "int32"),
            "last": ops.full((rows * beams,), start, "int32"),
            "live": ops.zeros((rows, 1), "float32") + alone,
            "tokens": ops.full(history, pad, "int32"),
            "parents": ops.zeros(history, "int32"),
            "finished": {
                "scores": ops.full((rows, self.n_best), IMPOSSIBLE, "float32"),
                "parents": ops.zeros((rows, self.n_best), "int32"),
                "tokens": ops.zeros((rows, self.n_best), "int32"),
                "lengths": ops.zeros((rows, self.n_best), "int32"),
            },
            "done": ops.zeros((rows,), "bool"),
            "states": keras.tree.map_structure(
                lambda x: ops.repeat(x, beams, axis=0), states
            ),
        }

    def _advance(self, step, record, special):
        """One step: continue, finish, live on, and see whether to stop."""
        index = record["index"]
        logits, states = step(record["last"], record["states"], index)
        ranked = self._continuations(logits, index, special, record["live"])
        ended = (ranked["tokens"] == special[1]) | (
            index + 1 >= self.max_length
        )
        finished = self._finish(ranked, ended, record)
        live = self._live_on(ranked, ended)
        return {
            "index": index + 1,
            "last": reshape_like(flatten_beams(live["tokens"]), record["last"]),
            "live": live["scores"],
            "tokens": write_time(record["tokens"], index, live["tokens"]),
            "parents": write_time(record["parents"], index, live["parents"]),
            "finished": finished,
            "done": record["done"] | self._is_over(live, finished, index),
            "states": select_rows(
                keras.tree.map_structure(
                    reshape_like, states, record["states"]
                ),
                live["parents"],
                self.num_beams,
            ),
        }

    def _continuations(self, logits, index, special, live):
        """The best `2 * num_beams` of all continuations, in order."""
        beams = self.num_beams
        logits = ops.cast(logits, "float32")
        # Three ids at most are forbidden, so three more than wanted suffice.
        each = min(2 * beams + 3, logits.shape[-1])
        # First of every beam: (batch * num_beams, each)
        values, tokens = top_k(logits, each)
        allowed = may_follow(
            tokens, index, special=special, min_length=self.min_length
        )
        log_probs = values - ops.logsumexp(logits, axis=-1, keepdims=True)
        values = ops.where(allowed, log_probs, IMPOSSIBLE)
        values = ops.reshape(values, (-1, beams, each))
        values = values + ops.expand_dims(live, 2)
        # Then of all beams: (batch, 2 * num_beams)
        scores, places = ops.top_k(
            ops.reshape(values, (-1, beams * each)), min(2, each) * beams
        )
        places = ops.cast(places, "int32")
        tokens = ops.reshape(tokens, (-1, beams * each))
        return {
            "scores": scores,
            "parents": places // each,
            "tokens": gather_beams(tokens, places),
        }

    def _finish(self, ranked, ended, record):
        """The `n_best` finished hypotheses, old and new."""
        new = {name: x[:, : self.num_beams] for name, x in ranked.items()}
        counts = ended[:, : self.num_beams] & (new["scores"] > IMPOSSIBLE / 2)
        counts = counts & ~ops.expand_dims(record["done"], 1)
        length = record["index"] + 1
        scores = new["scores"] / self._penalty(length)
        new["scores"] = ops.where(counts, scores, IMPOSSIBLE)
        new["lengths"] = ops.zeros_like(new["tokens"]) + length
        both = {
            name: ops.concatenate([old, new[name]], axis=1)
            for name, old in record["finished"].items()
        }
        _, best = ops.top_k(both["scores"], self.n_best)
        return {name: gather_beams(x, best) for name, x in both.items()}

    def _live_on(self, ranked, ended):
        """The best `num_beams` continuations that do not end."""
        scores = ops.where(ended, IMPOSSIBLE, ranked["scores"])
        scores, best = ops.top_k(scores, self.num_beams)
        return {
            "scores": ops.maximum(scores, IMPOSSIBLE),
            "parents": gather_beams(ranked["parents"], best),
            "tokens": gather_beams(ranked["tokens"], best),
        }

    def _is_over(self, live, finished, index):
        """Whether no live beam can beat the worst finished hypothesis.

        A log-probability only falls and a penalty is monotone in the length,
        so the best that a beam can reach lies at one end of the lengths left.
        """
        best = live["scores"][:, 0]
        bound = ops.maximum(
            best / self._penalty(index + 2),
            best / self._penalty(self.max_length),
        )
        return (best <= IMPOSSIBLE / 2) | (finished["scores"][:, -1] >= bound)

    def _penalty(self, length):
        length = ops.cast(length, "float32")
        return length_penalty(self.length_penalty, length, self.alpha)

    def get_config(self):
        return {
            **super().get_config(),
            "num_beams": self.num_beams,
            "length_penalty": self.length_penalty,
            "alpha": self.alpha,
            "n_best": self.n_best,
        }
