"""A set of hashes in little memory."""

import array


class HashSet:
    """Set of 64-bit numbers, at 12 to 24 bytes each.

    A Python set takes about 70. An open addressing table with linear probing.

    Example:

    >>> seen = HashSet()
    >>> seen.add(hash("a")), seen.add(hash("a"))
    (True, False)
    """

    def __init__(self):
        self._size = 0
        self._table = _zeros(1 << 10)

    def __len__(self) -> int:
        return self._size

    def add(self, number: int) -> bool:
        """Add a number modulo 2^64; return whether it is new."""
        if 3 * self._size > 2 * len(self._table):
            self._grow()
        number = number % 2**64 or 1  # 0 marks a free place
        is_new = _insert(self._table, number)
        self._size += is_new
        return is_new

    def _grow(self):
        table = _zeros(2 * len(self._table))
        for number in filter(None, self._table):
            _insert(table, number)
        self._table = table


def _zeros(count):
    return array.array("Q", bytes(8 * count))


def _insert(table, number):
    mask = len(table) - 1
    place = (number ^ number >> 32) & mask
    while table[place]:
        if table[place] == number:
            return False
        place = place + 1 & mask
    table[place] = number
    return True
