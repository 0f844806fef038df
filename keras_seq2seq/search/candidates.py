"""Continuations of beams: rank them, and divide the ended from the live.

A candidate is one token after one beam. Ranked candidates are a dict of
tensors of shape `(batch_size, n)`, best first: `scores`, the log-probabilities
of the longer hypotheses; `parents`, their beams; `tokens`; and `log_probs`,
the log-probabilities of the tokens.
"""

from keras import ops

from keras_seq2seq.ops import gather_beams
from keras_seq2seq.ops import top_k
from keras_seq2seq.search.special import IMPOSSIBLE


def best_of_each(values, beams, count):
    """The best `count` tokens of each beam.

    Args:
        values: Float tensor of shape `(batch_size * beams, vocabulary_size)`.

    Returns:
        Values and int32 tokens, of shape `(batch_size, beams, count)`.
    """
    count = min(count, values.shape[-1])
    values, tokens = top_k(values, count)
    shape = (-1, beams, count)
    return ops.reshape(values, shape), ops.reshape(tokens, shape)


def best_by_logits(logits, beams, count, may_follow):
    """The same of logits, where at most three tokens are forbidden.

    Args:
        logits: Float tensor of shape `(batch_size * beams, vocabulary_size)`.
        may_follow: Function from token ids to booleans.

    Returns:
        Log-probabilities, `IMPOSSIBLE` where forbidden, and int32 tokens, of
        shape `(batch_size, beams, count + 3)`.
    """
    values, tokens = best_of_each(logits, beams, count + 3)
    best = ops.reshape(values[:, :, :1], (-1, 1))
    total = ops.sum(ops.exp(logits - best), axis=-1, keepdims=True)
    norm = ops.reshape(best + ops.log(total), (-1, beams, 1))
    allowed = may_follow(tokens)
    return ops.where(allowed, values - norm, IMPOSSIBLE), tokens


def rank(log_probs, tokens, live, order=None):
    """The best candidates of all beams together, twice as many as beams.

    Args:
        log_probs, tokens: Of the best tokens of each beam, of shape
            `(batch_size, beams, n)`.
        live: Log-probabilities of the beams, `(batch_size, beams)`.
        order: What to rank by, of the shape of `log_probs`. Defaults to
            `None`: the log-probabilities of the longer hypotheses.

    Returns:
        Ranked candidates, and what they are ranked by.
    """
    beams, n = log_probs.shape[1:]

    def flat(x):
        return ops.reshape(x, (-1, beams * n))

    scores = flat(log_probs + ops.expand_dims(live, 2))
    order = scores if order is None else flat(order)
    order, places = ops.top_k(order, min(2, n) * beams)
    places = ops.cast(places, "int32")
    return {
        "scores": gather_beams(scores, places),
        "parents": places // n,
        "tokens": gather_beams(flat(tokens), places),
        "log_probs": gather_beams(flat(log_probs), places),
    }, order


def divide(candidates, order, ended, size):
    """Of ranked candidates, those that end and those that live on.

    Args:
        candidates, order: Of `rank`, `(batch_size, n)`.
        ended: Booleans of the same shape.
        size: Integer, the number of beams.

    Returns:
        The first `size` candidates and the best `size` that do not end. Where
        the first do not end, or the second would, the score is `IMPOSSIBLE`.
    """
    first = {name: x[:, :size] for name, x in candidates.items()}
    first["scores"] = ops.where(ended[:, :size], first["scores"], IMPOSSIBLE)
    scores = ops.where(ended, IMPOSSIBLE, candidates["scores"])
    order = ops.where(ended, IMPOSSIBLE, order)
    _, best = ops.top_k(order, size)
    live = {**candidates, "scores": ops.maximum(scores, IMPOSSIBLE)}
    return first, {name: gather_beams(x, best) for name, x in live.items()}


def best_finished(old, new):
    """Of finished hypotheses, as many as `old` has: the best of both."""
    both = {
        name: ops.concatenate([x, new[name]], axis=1) for name, x in old.items()
    }
    _, best = ops.top_k(both["scores"], old["scores"].shape[1])
    return {name: gather_beams(x, best) for name, x in both.items()}
