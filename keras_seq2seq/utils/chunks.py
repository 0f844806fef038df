"""Parts of iterables."""

import itertools
from collections.abc import Iterable
from collections.abc import Iterator


def chunks(values: Iterable, size: int) -> Iterator[list]:
    """Lists of `size` values in a row, the last one perhaps shorter.

    Like `itertools.batched`, which Python 3.11 does not have.
    """
    values = iter(values)
    return iter(lambda: [*itertools.islice(values, size)], [])
