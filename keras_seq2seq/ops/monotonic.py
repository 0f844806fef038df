"""Attention that only moves forward, by Raffel et al. (2017).

At each step the process walks from the place it chose last to the right and
stops at place `i` with probability `p_i`. Where it never stops, it attends to
nothing: the alignments of a row may sum to less than 1.

Each function takes `p` and `previous`, float32 tensors of shape `(..., Tv)`,
the probabilities of stopping and the alignments of the step before, and gives
alignments of that shape.
"""

import numpy as np
from keras import ops

TINY = float(np.finfo("float32").tiny)
LEAST = 1e-10  # what the parallel form divides by
MOST_PLACES = 2**20  # of a memory whose length is not known yet


def monotonic_recursive(p, previous):
    """Exact, eq. 13-14: `q_i = (1 - p_{i-1}) q_{i-1} + previous_i`, `p_i q_i`.

    Solved by doubling, with products and sums alone.
    """
    go_on = _shift(1.0 - p, 1, fill=1.0)
    return p * _solve(go_on, previous)


def monotonic_parallel(p, previous):
    """Closed form, appendix C.1: `p c cumsum(previous / c)`.

    Here `c_i = prod_{k < i} (1 - p_k)`, the chance to come as far as `i`.
    Where `c` sinks below 1e-10, mass is lost.
    """
    logs = ops.log(ops.clip(1.0 - p, TINY, 1.0))
    c = ops.exp(_shift(ops.cumsum(logs, axis=-1), 1, fill=0.0))
    return p * c * ops.cumsum(previous / ops.clip(c, LEAST, 1.0), axis=-1)


def monotonic_hard(p, previous):
    """The process itself: from the last place on, the first with `p > 0.5`.

    One-hot or zero, and without a gradient.
    """
    reached = ops.cumsum(previous, axis=-1) > 0.5
    chosen = ops.cast(ops.logical_and(reached, p > 0.5), p.dtype)
    return chosen * ops.cast(ops.cumsum(chosen, axis=-1) < 1.5, p.dtype)


def _solve(factor, term):
    """`x_i = factor_i x_{i-1} + term_i` along the last axis, by doubling."""
    places = factor.shape[-1]
    doublings = (MOST_PLACES if places is None else places - 1).bit_length()
    for doubling in range(doublings):
        term = term + factor * _shift(term, 2**doubling, fill=0.0)
        factor = factor * _shift(factor, 2**doubling, fill=1.0)
    return term


def _shift(x, by, fill):
    """`x` moved to the right along the last axis."""
    front = ops.full_like(x[..., :by], fill)
    return ops.concatenate([front, x[..., :-by]], axis=-1)
