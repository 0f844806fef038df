"""Length penalties: the divisor of a hypothesis' log-probability, by name."""

from keras import ops

from keras_seq2seq.utils.checks import check_choice


def _none(length, alpha):
    return ops.ones_like(length)


def _average(length, alpha):
    return length


def _wu(length, alpha):
    return ((5.0 + length) / 6.0) ** alpha


LENGTH_PENALTIES = {"none": _none, "avg": _average, "wu": _wu}


def length_penalty(name, length, alpha=0.6):
    """Divisor for hypotheses of `length` tokens, the end token counted.

    `"none"`: 1. `"avg"`: `length`, the mean log-probability of a token.
    `"wu"`: `((5 + length) / 6) ** alpha`, [Wu et al.,
    2016](https://arxiv.org/abs/1609.08144), eq. 14.

    Args:
        name: One of `"none"`, `"avg"`, `"wu"`.
        length: Float tensor.
        alpha: Float, the strength of `"wu"`.

    Returns:
        Float tensor of the shape of `length`, monotone in `length`.
    """
    check_choice(name, "name", LENGTH_PENALTIES)
    return LENGTH_PENALTIES[name](length, alpha)
