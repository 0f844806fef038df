import dataclasses
import time

MOST_AT_ONCE = 86_400.0  # seconds; an operating system waits no longer at once


@dataclasses.dataclass(frozen=True)
class Deadline:
    """The time that a request has: all tries, all reads, all pauses.

    Args:
        seconds: Float, how long the request may take in all.
        end: Float, when it ends, of `time.monotonic()`.
    """

    seconds: float
    end: float

    @classmethod
    def after(cls, seconds):
        return cls(seconds, time.monotonic() + seconds)

    def left(self):
        """Seconds until then, above 0; `TimeoutError` where none is left."""
        seconds = self.end - time.monotonic()
        if seconds <= 0:
            raise TimeoutError("the deadline of a request has passed")
        return min(seconds, MOST_AT_ONCE)

    def allows(self, seconds):
        """Whether there is more time than that."""
        return time.monotonic() + seconds < self.end
