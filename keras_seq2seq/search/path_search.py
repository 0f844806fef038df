from keras import ops

from keras_seq2seq.ops import reshape_like
from keras_seq2seq.ops import write_time
from keras_seq2seq.search.cut import unfinished_paths
from keras_seq2seq.search.search import Search
from keras_seq2seq.search.special import IMPOSSIBLE
from keras_seq2seq.search.special import possible


class PathSearch(Search):
    """Abstract search that follows each hypothesis on its own, token by token.

    A subclass fills `_preferences`: of what it gives, the highest entry is the
    next token.
    """

    def _first_record(self, problem, states):
        first = super()._first_record(problem, states)
        rows = ops.shape(first["last"])[0]
        history = (self.max_length, rows)
        if problem.return_log_probs:
            first["log_probs"] = ops.zeros(history, "float32")
        return {
            **first,
            "tokens": ops.full(history, problem.pad_token_id, "int32"),
            "scores": ops.zeros((rows,), "float32"),
            "lengths": ops.zeros((rows,), "int32"),
            "done": ops.zeros((rows,), "bool"),
        }

    def _preferences(self, log_probs, index, problem):
        """What to maximize, of the shape of `log_probs`."""
        raise NotImplementedError

    def _advance(self, problem, record):
        index, done = record["index"], record["done"]
        logits, states, _ = self._step(problem, record)
        log_probs = self._log_probs(logits, record, problem)
        liked = self._preferences(log_probs, index, problem)
        token = ops.cast(ops.argmax(liked, axis=-1), "int32")
        gain = ops.take_along_axis(log_probs, ops.expand_dims(token, 1), axis=1)
        gain = ops.where(done, 0.0, ops.squeeze(gain, 1))
        token = ops.where(done, problem.pad_token_id, token)
        constraints = self._next_constraints(
            record["constraints"], token, index
        )
        ended = done | (token == problem.end_token_id)
        stuck = ~possible(gain)
        if self.constraints:
            stuck = stuck | unfinished_paths(
                self, constraints, ended, index, problem, log_probs.shape[-1]
            )
        scores = ops.where(stuck, IMPOSSIBLE, record["scores"] + gain)
        new = {
            "index": index + 1,
            "last": reshape_like(token, record["last"]),
            "states": states,
            "constraints": constraints,
            "tokens": write_time(record["tokens"], index, token),
            "scores": scores,
            "lengths": record["lengths"] + ops.cast(~done, "int32"),
            "done": ended | stuck,
        }
        if problem.return_log_probs:
            new["log_probs"] = write_time(record["log_probs"], index, gain)
        return new

    def _result(self, problem, record):
        # Best first, and nothing where a path got stuck.
        scores = ops.reshape(record["scores"], (-1, self.width))
        scores, order = ops.top_k(scores, self.width)
        exists = possible(scores)

        def ordered(x, nothing):
            x = ops.reshape(x, (-1, self.width, *x.shape[1:]))
            places = order
            for _ in x.shape[2:]:
                places = ops.expand_dims(places, -1)
            x = ops.take_along_axis(x, places, axis=1)
            there = ops.reshape(exists, ops.shape(places))
            return ops.where(there, x, nothing)

        found = {
            "token_ids": ordered(
                ops.transpose(record["tokens"]), problem.pad_token_id
            ),
            "lengths": ordered(record["lengths"], 0),
            "scores": ops.where(exists, scores, IMPOSSIBLE),
        }
        if problem.return_log_probs:
            gains = ordered(ops.transpose(record["log_probs"]), 0.0)
            found["log_probs"] = gains
            found["total_log_probs"] = ops.sum(gains, axis=-1)
        return found
