"""Filters of logits for sampling: top-k, top-p and min-p."""

import math

from keras import ops

ROUNDING = 1e-5  # .5 + .3 is .8


def keep_top_k(logits, k, value):
    """Set all logits but the `k` highest to `value`; ties are kept.

    Args:
        logits: Float tensor of shape `(rows, size)`.
        k: Integer. `size` or more keeps all.
        value: Float.
    """
    if k >= logits.shape[-1]:
        return logits
    least = ops.top_k(logits, k)[0][:, -1:]
    return ops.where(logits >= least, logits, value)


def keep_top_p(logits, p, value):
    """Set all logits outside of the nucleus to `value`; ties are kept.

    The nucleus is the smallest set of most probable entries whose total
    probability is at least `p`, up to a tolerance of 1e-5 for float32 rounding.

    Args:
        logits: Float tensor of shape `(rows, size)`.
        p: Float in `(0, 1]`. `1` keeps all.
        value: Float.

    References:
        - [Holtzman et al., 2020](https://arxiv.org/abs/1904.09751), eq. 2
    """
    if p == 1:
        return logits
    enough = max(p - ROUNDING, p / 2)  # above 0, so the best is always kept
    ranked = ops.flip(ops.sort(logits, axis=-1), axis=-1)
    probabilities = ops.softmax(ranked, axis=-1)
    before = ops.cumsum(probabilities, axis=-1) - probabilities
    inside = ops.where(before < enough, ranked, float("inf"))
    least = ops.min(inside, axis=-1, keepdims=True)
    return ops.where(logits >= least, logits, value)


def keep_min_p(logits, p, value):
    """Set all logits less probable than `p` times the best one to `value`.

    With a relative tolerance of 1e-5 for float32 rounding.

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
