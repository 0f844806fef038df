"""Sizes that no machine can hold: an error before anything is allocated."""

import math
import os
import pathlib

from keras_seq2seq.utils.checks import check_integer

MOST = 2**24  # of one dimension, 16,777,216
NUMBER = 4  # bytes
SHARE = 2  # half of the memory at most for one thing
CONTAINER = pathlib.Path("/sys/fs/cgroup/memory.max")


def memory():
    """Bytes of this machine, or of its container; infinite where unknown."""
    try:
        total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):  # no POSIX
        return math.inf
    try:
        return min(total, int(CONTAINER.read_text()))
    except (OSError, ValueError):  # none, or "max"
        return total


def check_dimension(value, argument, least=1, most=MOST):
    """`value` as a plain integer, if it can be a dimension of a tensor."""
    value = check_integer(value, argument, least)
    if value > most:
        raise ValueError(
            f"`{argument}` must be at most {most:,}. Received: "
            f"{argument}={value}, which takes {_shown(NUMBER * value)} for "
            "each vector of that size. Lower it."
        )
    return value


def check_fits(what, sizes, times=1):
    """Raise where something needs more than half of the machine's memory.

    Args:
        what: String, what is to be held.
        sizes: Dict of argument -> integer. Their product counts numbers of
            four bytes.
        times: Integer, another factor, that no argument is to blame for.
    """
    needed, most = NUMBER * times * math.prod(sizes.values()), memory() / SHARE
    if needed > most:
        received = ", ".join(f"{name}={n}" for name, n in sizes.items())
        raise ValueError(
            f"{what} must fit into half of the memory of this machine, "
            f"{_shown(most)}. Received: {received}, which need at least "
            f"{_shown(needed)}. Lower one of them."
        )


def _shown(size):
    """A number of bytes, such as `1.5 GB`."""
    units = "B", "kB", "MB", "GB", "TB", "PB", "EB"
    power = min(int(math.log10(max(size, 1)) // 3), len(units) - 1)
    return f"{size / 1000**power:,.1f} {units[power]}"
