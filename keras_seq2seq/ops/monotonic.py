"""Monotonic attention, which only moves forward, of Raffel et al. (2017).

At each step the process moves right from the previously chosen position and
stops at position `i` with probability `p_i`. If it never stops, it attends to
nothing: the alignments of a row may sum to less than 1.

Each function takes float32 tensors of shape `(..., Tv)`: `p`, the probabilities
of stopping, and `previous`, the alignments of the previous step. It returns
alignments of the same shape.
"""

import numpy as np
from keras import ops

TINY = float(np.finfo("float32").tiny)
LEAST = 1e-10  # the smallest divisor of the parallel form
MAX_LENGTH = 2**20  # of a memory whose length is unknown while tracing


def monotonic_recursive(p, previous):
    """Exact, eq. 13-14: `q_i = (1 - p_{i-1}) q_{i-1} + previous_i`, `p_i q_i`.

    Solved by recursive doubling, with products and sums only.
    """
    go_on = _shift(1.0 - p, 1, fill=1.0)
    return p * _solve(go_on, previous)


def monotonic_parallel(p, previous):
    """Closed form, appendix C.1: `p c cumsum(previous / c)`.

    Here `c_i = prod_{k < i} (1 - p_k)` is the probability of reaching `i`.
    Where `c` falls below 1e-10, probability mass is lost.
    """
    logs = ops.log(ops.clip(1.0 - p, TINY, 1.0))
    c = ops.exp(_shift(ops.cumsum(logs, axis=-1), 1, fill=0.0))
    return p * c * ops.cumsum(previous / ops.clip(c, LEAST, 1.0), axis=-1)


def monotonic_hard(p, previous):
    """Hard: the first position with `p > 0.5`, starting at the previous one.

    One-hot or all zero, without a gradient.
    """
    reached = ops.cumsum(previous, axis=-1) > 0.5
    chosen = ops.cast(ops.logical_and(reached, p > 0.5), p.dtype)
    return chosen * ops.cast(ops.cumsum(chosen, axis=-1) < 1.5, p.dtype)


def _solve(factor, term):
    """`x_i = factor_i x_{i-1} + term_i` along the last axis, by doubling."""
    positions = factor.shape[-1]
    last = MAX_LENGTH if positions is None else positions - 1
    doublings = last.bit_length()
    for doubling in range(doublings):
        term = term + factor * _shift(term, 2**doubling, fill=0.0)
        factor = factor * _shift(factor, 2**doubling, fill=1.0)
    return term


def _shift(x, by, fill):
    """Shift `x` to the right along the last axis."""
    front = ops.full_like(x[..., :by], fill)
    return ops.concatenate([front, x[..., :-by]], axis=-1)
