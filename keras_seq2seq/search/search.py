import keras
from keras import ops

from keras_seq2seq.utils.checks import check_integer

IMPOSSIBLE = -1e9  # a log-probability that stands for "cannot be"


class Search:
    """Abstract search: from a step function to finished hypotheses.

    A search knows a step function, never a model. The memory of the encoder
    is hidden in that function, so no search can copy it. A subclass fills
    `__call__`.

    Args:
        max_length: Integer. Longest hypothesis in tokens, the end token
            counted; there a hypothesis is cut. Defaults to `100`.
        min_length: Integer. Shortest hypothesis in tokens, the end token
            counted. Defaults to `0`.

    Call arguments:
        step: Function of `(token_ids, states, index)`, with integers of shape
            `(rows,)`, nested tensors of shape `(rows, ...)` and an integer
            scalar, that gives logits `(rows, vocabulary_size)` and states.
            `rows` is `batch_size`, or `batch_size * num_beams`.
        states: First states, of `batch_size` rows.
        start_token_id, end_token_id, pad_token_id: Integers.

    Returns:
        Dict of `token_ids` `(batch_size, n_best, max_length)`, padded after
        the end token, `lengths` `(batch_size, n_best)`, the end token counted,
        and `scores` `(batch_size, n_best)`, best first. A place without a
        hypothesis has length 0 and score -1e9.
    """

    n_best = 1

    def __init__(self, max_length=100, *, min_length=0):
        self.max_length = check_integer(max_length, "max_length", 1)
        self.min_length = check_integer(min_length, "min_length", 0)
        if min_length > max_length:
            raise ValueError(
                "`min_length` must not exceed `max_length`. Received: "
                f"min_length={min_length}, max_length={max_length}"
            )

    def __call__(
        self, step, states, *, start_token_id, end_token_id, pad_token_id
    ):
        raise NotImplementedError

    def get_config(self):
        return {"max_length": self.max_length, "min_length": self.min_length}

    @classmethod
    def from_config(cls, config):
        return cls(**config)

    def replace(self, **changes):
        """A search of this class with some arguments changed."""
        return self.from_config({**self.get_config(), **changes})


def batch_size_of(states):
    return ops.shape(keras.tree.flatten(states)[0])[0]


def may_follow(token_ids, index, *, special, min_length):
    """Booleans of the shape of `token_ids`: `False` for at most three ids."""
    start, end, pad = special
    allowed = (token_ids == end) | ((token_ids != pad) & (token_ids != start))
    if not min_length:
        return allowed
    return allowed & ((token_ids != end) | (index + 1 >= min_length))


def step_logits(logits, index, *, special, min_length):
    """What a step may choose from.

    Padding and the start token are never chosen, unless one of them is the end
    token; the end token not before `min_length`. Nothing is renormalized, so
    scores stay those of the model.

    Returns:
        Float32 logits `(rows, vocabulary_size)`, `IMPOSSIBLE` where forbidden,
        and the logarithm of their sum before that, `(rows,)`.
    """
    logits = ops.cast(logits, "float32")
    ids = ops.arange(logits.shape[-1])
    allowed = may_follow(ids, index, special=special, min_length=min_length)
    log_norm = ops.logsumexp(logits, axis=-1)
    return ops.where(allowed, logits, IMPOSSIBLE), log_norm
