"""The likely part of a distribution."""

import math

from keras import ops

ROUNDING = 1e-5  # .5 + .3 is .8


def keep_top_k(logits, k, value):
    """Logits with all but the `k` highest set to `value`; ties stay.

    Args:
        logits: Float tensor of shape `(rows, size)`.
        k: Integer. With `size` or more, all stay.
        value: Float.
    """
    if k >= logits.shape[-1]:
        return logits
    least = ops.top_k(logits, k)[0][:, -1:]
    return ops.where(logits >= least, logits, value)


def keep_top_p(logits, p, value):
    """Logits with all outside of the nucleus set to `value`; ties stay.

    The nucleus is the smallest set of the most probable entries whose
    probability is at least `p`, up to a tolerance of 1e-5: sums of float32
    numbers that are `p` on paper may be a little less.

    Args:
        logits: Float tensor of shape `(rows, size)`.
        p: Float in `(0, 1]`. With `1` all stay.
        value: Float.

    References:
        - [Holtzman et al., 2020](https://arxiv.org/abs/1904.09751), eq. 2
    """
    if p == 1:
        return logits
    enough = max(p - ROUNDING, p / 2)  # above 0: the first is always inside
    ranked = ops.flip(ops.sort(logits, axis=-1), axis=-1)
    probabilities = ops.softmax(ranked, axis=-1)
    before = ops.cumsum(probabilities, axis=-1) - probabilities
    inside = ops.where(before < enough, ranked, float("inf"))
    least = ops.min(inside, axis=-1, keepdims=True)
    return ops.where(logits >= least, logits, value)


def keep_min_p(logits, p, value):
    """Logits with all less probable than `p * max` set to `value`.

    Up to a tolerance of 1e-5 of the probability, as float32 needs it.

    Args:
        logits: Float tensor of shape `(rows, size)`.
        p: Float in `(0, 1]`.
        value: Float.

    References:
        - [Nguyen et al., 2024](https://arxiv.org/abs/2407.01082), section 3
    """
    best = ops.max(logits, axis=-1, keepdims=True)
    likely = logits >= best + (math.log(p) - ROUNDING)
    return ops.where(likely, logits, value)
