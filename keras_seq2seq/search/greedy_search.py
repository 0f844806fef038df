import keras
from keras import ops

from keras_seq2seq.ops import reshape_like
from keras_seq2seq.ops import write_time
from keras_seq2seq.search.search import Search
from keras_seq2seq.search.search import batch_size_of
from keras_seq2seq.search.search import step_logits


@keras.saving.register_keras_serializable("keras_seq2seq")
class GreedySearch(Search):
    """Greedy search: the most probable token at each step.

    The score is the log-probability of the hypothesis, the end token counted.

    Args:
        max_length: Integer. Longest hypothesis in tokens, the end token
            counted; there a hypothesis is cut. Defaults to `100`.
        min_length: Integer. Shortest hypothesis in tokens, the end token
            counted. Defaults to `0`.

    Example:

    >>> logits = keras.ops.log(np.array([[0.0, 0.0, 0.4, 0.6]] * 2))
    >>> search = k2s.search.GreedySearch(max_length=3)
    >>> found = search(
    ...     lambda token_ids, states, index: (logits, states),
    ...     states=keras.ops.zeros((2, 1)),
    ...     start_token_id=1, end_token_id=2, pad_token_id=0,
    ... )
    >>> keras.ops.convert_to_numpy(found["token_ids"]).tolist()
    [[[3, 3, 3]], [[3, 3, 3]]]
    """

    def __call__(
        self, step, states, *, start_token_id, end_token_id, pad_token_id
    ):
        special = start_token_id, end_token_id, pad_token_id
        record = ops.while_loop(
            lambda record: ~ops.all(record["finished"]),
            lambda record: self._advance(step, record, special),
            self._first_record(states, special),
            maximum_iterations=self.max_length,
        )
        return {
            "token_ids": ops.expand_dims(ops.transpose(record["tokens"]), 1),
            "lengths": ops.expand_dims(record["lengths"], 1),
            "scores": ops.expand_dims(record["scores"], 1),
        }

    def _first_record(self, states, special):
        start, _, pad = special
        rows = batch_size_of(states)
        return {
            "index": ops.convert_to_tensor(0, "int32"),
            "last": ops.full((rows,), start, "int32"),
            "tokens": ops.full((self.max_length, rows), pad, "int32"),
            "scores": ops.zeros((rows,), "float32"),
            "lengths": ops.zeros((rows,), "int32"),
            "finished": ops.zeros((rows,), "bool"),
            "states": states,
        }

    def _advance(self, step, record, special):
        index, finished = record["index"], record["finished"]
        logits, states = step(record["last"], record["states"], index)
        logits, log_norm = step_logits(
            logits, index, special=special, min_length=self.min_length
        )
        token = ops.cast(ops.argmax(logits, axis=-1), "int32")
        token = ops.where(finished, special[2], token)
        gain = ops.where(finished, 0.0, ops.max(logits, axis=-1) - log_norm)
        return {
            "index": index + 1,
            "last": reshape_like(token, record["last"]),
            "tokens": write_time(record["tokens"], index, token),
            "scores": record["scores"] + gain,
            "lengths": record["lengths"] + ops.cast(~finished, "int32"),
            "finished": finished | (token == special[1]),
            "states": keras.tree.map_structure(
                reshape_like, states, record["states"]
            ),
        }
