"""Random numbers that are a function of a seed and counters.

A hash in 32-bit integers with overflow: it gives the same numbers on every
backend and in an export, and no other draw changes them.
"""

from keras import ops

from keras_seq2seq.ops.hard import gumbel


def _shift_right(x, bits):
    """Logical right shift of an int32: zeros come in, not the sign."""
    return ops.bitwise_and(
        ops.bitwise_right_shift(x, bits), (1 << (32 - bits)) - 1
    )


def _mix(x):
    """Mix the bits of an int32, a bijection: xorshift and multiply."""
    x = ops.bitwise_xor(x, _shift_right(x, 16)) * 569420461
    x = ops.bitwise_xor(x, _shift_right(x, 15)) * (0xD35A2D97 - (1 << 32))
    return ops.bitwise_xor(x, _shift_right(x, 15))


def counter_hash(seed, *counters):
    """Random int32 numbers, a hash of the seed and the counters.

    Args:
        seed: Int32 tensor.
        *counters: Int32 tensors that broadcast with it, in a fixed order.

    Returns:
        Int32 tensor of the broadcast shape.

    References:
        - [Wellons, 2018](https://nullprogram.com/blog/2018/07/31/) (the
          constants)
    """
    state = _mix(ops.cast(seed, "int32"))
    for counter in counters:
        counter = ops.cast(counter, "int32")
        state = _mix(state + _mix(counter + 1013904223))
    return state


def counter_uniform(seed, *counters):
    """Uniform float32 numbers in (0, 1): odd multiples of `2 ** -24`."""
    bits = _shift_right(counter_hash(seed, *counters), 9)
    return (ops.cast(bits, "float32") + 0.5) * 2.0**-23


def counter_gumbel(seed, *counters):
    """Float32 numbers from the standard Gumbel distribution.

    `argmax(logits + gumbel)` is a sample of `softmax(logits)`.
    """
    return gumbel(counter_uniform(seed, *counters))
