"""Checks that sizes fit into memory, before anything is allocated."""

import math
import os
import pathlib

from keras_seq2seq.utils.checks import check_integer

MOST = 2**24  # the largest dimension, 16,777,216
NUMBER = 4  # bytes of a float32
SHARE = 2  # one tensor may take half of the memory
CONTAINER = pathlib.Path("/sys/fs/cgroup/memory.max")


def memory():
    """Memory of this machine or container in bytes; infinite if unknown."""
    try:
        total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):  # no POSIX
        return math.inf
    try:
        return min(total, int(CONTAINER.read_text()))
    except (OSError, ValueError):  # no such file, or "max"
        return total


def check_dimension(value, argument, least=1, most=MOST):
    """Return `value` as an `int`; raise where no tensor can be that large."""
    value = check_integer(value, argument, least)
    if value > most:
        raise ValueError(
            f"`{argument}` must be at most {most:,}. Received: "
            f"{argument}={value}, which takes {_format_bytes(NUMBER * value)} "
            "for each vector of that size. Lower it."
        )
    return value


def check_fits(what, sizes, times=1):
    """Raise where a tensor would need more than half of the memory.

    Args:
        what: String. A name of the tensor, for the error message.
        sizes: Dict of argument -> integer. Their product is the number of
            entries, of four bytes each.
        times: Integer. Another factor, which the error does not mention.
            Defaults to `1`.
    """
    needed, most = NUMBER * times * math.prod(sizes.values()), memory() / SHARE
    if needed > most:
        received = ", ".join(f"{name}={n}" for name, n in sizes.items())
        raise ValueError(
            f"{what} must fit into half of the memory of this machine, "
            f"{_format_bytes(most)}. Received: {received}, which need at least "
            f"{_format_bytes(needed)}. Lower one of them."
        )


def _format_bytes(size):
    """Format a number of bytes, such as `1.5 GB`."""
    units = "B", "kB", "MB", "GB", "TB", "PB", "EB"
    power = min(int(math.log10(max(size, 1)) // 3), len(units) - 1)
    return f"{size / 1000**power:,.1f} {units[power]}"
