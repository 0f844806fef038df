"""Lines of progress for work of unknown length."""

import sys
import time

SECONDS = 10  # between two lines


class Counter:
    """Prints a count and its speed to standard error every ten seconds.

    Args:
        what: String. What is counted.

    Example:

    >>> progress = Counter("pairs encoded")
    >>> progress(4096)
    """

    def __init__(self, what):
        self.what = what
        self._begun = self._shown = time.monotonic()

    def __call__(self, count):
        now = time.monotonic()
        if now - self._shown >= SECONDS:
            self._shown = now
            rate = count / (now - self._begun)
            text = f"{count:,} {self.what}, {rate:,.0f} a second"
            print(text, file=sys.stderr, flush=True)
