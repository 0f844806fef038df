"""The largest size that something can take."""

import bisect


def largest(most, check, least=1):
    """The largest integer that passes a check, `least` where none does.

    Args:
        most: Integer, where to stop.
        check: Function of an integer that raises a `ValueError` where it is
            too large, and then for all larger ones.
        least: Integer, where to begin. Defaults to `1`.
    """

    def too_large(n):
        try:
            check(n)
        except ValueError:
            return True
        return False

    sizes = range(least, most + 1)
    return sizes[max(bisect.bisect_left(sizes, True, key=too_large) - 1, 0)]
