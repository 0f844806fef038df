def numpy_hash(seed, *counters):
    """The definition, in Python's own integers."""

    def mixed(x):
        x &= 0xFFFFFFFF
        x = (x ^ (x >> 16)) * 0x21F0AAAD & 0xFFFFFFFF
        x = (x ^ (x >> 15)) * 0xD35A2D97 & 0xFFFFFFFF
        return x ^ (x >> 15)

    state = mixed(seed)
    for counter in counters:
        state = mixed(state + mixed(counter + 1013904223))
    return state - (state >> 31 << 32)
