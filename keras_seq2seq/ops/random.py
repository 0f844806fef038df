"""Random numbers that depend on counters alone.

A hash of seeds and counters, in 32-bit integers that wrap around: the same
numbers on every backend, in an export, and whatever else is drawn beside them.
"""

from keras import ops

from keras_seq2seq.ops.hard import gumbel


def _shift_right(x, bits):
    """Of the 32 bits of an int32, without its sign coming in."""
    return ops.bitwise_and(
        ops.bitwise_right_shift(x, bits), (1 << (32 - bits)) - 1
    )


def _mixed(x):
    """A bijection of the int32 that leaves no pattern: xorshift, multiply."""
    x = ops.bitwise_xor(x, _shift_right(x, 16)) * 569420461
    x = ops.bitwise_xor(x, _shift_right(x, 15)) * (0xD35A2D97 - (1 << 32))
    return ops.bitwise_xor(x, _shift_right(x, 15))


def counter_hash(seed, *counters):
    """Random int32, a function of the seed and of each counter.

    Args:
        seed: Int32 tensor.
        *counters: Int32 tensors that broadcast with it, in a fixed order.

    Returns:
        Int32 tensor of the broadcast shape.

    References:
        - [Wellons, 2018](https://nullprogram.com/blog/2018/07/31/), the
          constants
    """
    state = _mixed(ops.cast(seed, "int32"))
    for counter in counters:
        counter = ops.cast(counter, "int32")
        state = _mixed(state + _mixed(counter + 1013904223))
    return state


def counter_uniform(seed, *counters):
    """Random float32 in (0, 1): odd multiples of `2 ** -24`."""
    bits = _shift_right(counter_hash(seed, *counters), 9)
    return (ops.cast(bits, "float32") + 0.5) * 2.0**-23


def counter_gumbel(seed, *counters):
    """Random float32 of the standard Gumbel distribution.

    `argmax(logits + gumbel)` is a sample of `softmax(logits)`.
    """
    return gumbel(counter_uniform(seed, *counters))
