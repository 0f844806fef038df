import dataclasses
import time

MOST_AT_ONCE = 86_400.0  # seconds; the longest timeout that all systems accept


@dataclasses.dataclass(frozen=True)
class Deadline:
    """Deadline of a request, including its retries and pauses.

    Args:
        seconds: Float, the time that the request may take in total.
        end: Float, the end, as a value of `time.monotonic()`.
    """

    seconds: float
    end: float

    @classmethod
    def after(cls, seconds):
        return cls(seconds, time.monotonic() + seconds)

    def left(self):
        """Remaining seconds; raises `TimeoutError` if there are none."""
        seconds = self.end - time.monotonic()
        if seconds <= 0:
            raise TimeoutError("the deadline of a request has passed")
        return min(seconds, MOST_AT_ONCE)

    def allows(self, seconds):
        """Whether more than so many seconds remain."""
        return time.monotonic() + seconds < self.end
