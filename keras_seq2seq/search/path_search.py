from keras import ops

from keras_seq2seq.ops import reshape_like
from keras_seq2seq.ops import take_rows
from keras_seq2seq.ops import write_time
from keras_seq2seq.search.cut import unfinished_paths
from keras_seq2seq.search.record import PATH_RECORD
from keras_seq2seq.search.search import Search
from keras_seq2seq.search.special import IMPOSSIBLE
from keras_seq2seq.search.special import possible


class PathSearch(Search):
    """Abstract search that follows each hypothesis on its own, token by token.

    A subclass fills `_preferences`, whose highest entry is the next token.
    """

    fields = PATH_RECORD

    def _preferences(self, log_probs, context):
        """What to maximize, of the shape of `log_probs`."""
        raise NotImplementedError

    def _advance(self, record, context):
        index, done = context.index, record["done"]
        logits, carried, cache = self._step(record, context)
        log_probs = self._log_probs(logits, record, context)
        preferences = self._preferences(log_probs, context)
        token = ops.cast(ops.argmax(preferences, axis=-1), "int32")
        gain = ops.take_along_axis(log_probs, ops.expand_dims(token, 1), axis=1)
        gain = ops.where(done, 0.0, ops.squeeze(gain, 1))
        token = ops.where(done, context.pad_token_id, token)
        carried = self._carry(carried, token, context)
        ended = done | (token == context.end_token_id)
        stuck = ~possible(gain)
        if self.constraints:
            states, size = carried["constraints"], log_probs.shape[-1]
            stuck = stuck | unfinished_paths(self, states, ended, context, size)
        new = {
            "index": index + 1,
            "last": reshape_like(token, record["last"]),
            "cache": cache,
            "carried": carried,
            "tokens": write_time(record["tokens"], index, token),
            "scores": ops.where(stuck, IMPOSSIBLE, record["scores"] + gain),
            "lengths": record["lengths"] + ops.cast(~done, "int32"),
            "done": ended | stuck,
        }
        if context.return_log_probs:
            new["log_probs"] = write_time(record["log_probs"], index, gain)
        return new

    def _results(self, record, context):
        # Best first, and nothing where a path got stuck.
        scores = ops.reshape(record["scores"], (-1, self.width))
        scores, order = ops.top_k(scores, self.width)
        exists = possible(scores)

        def ordered(x, nothing):
            x = take_rows(x, order, self.width)
            x = ops.reshape(x, (-1, self.width, *x.shape[1:]))
            there = ops.reshape(
                exists, (-1, self.width) + (1,) * (len(x.shape) - 2)
            )
            return ops.where(there, x, nothing)

        token_ids = ops.transpose(record["tokens"])
        results = {
            "token_ids": ordered(token_ids, context.pad_token_id),
            "lengths": ordered(record["lengths"], 0),
            "scores": ops.where(exists, scores, IMPOSSIBLE),
        }
        if context.return_log_probs:
            gains = ordered(ops.transpose(record["log_probs"]), 0.0)
            results["log_probs"] = gains
            results["total_log_probs"] = ops.sum(gains, axis=-1)
        return results
