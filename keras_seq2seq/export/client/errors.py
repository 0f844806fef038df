"""Errors of the client."""

import contextlib

MISREADINGS = (
    *(ArithmeticError, AttributeError, LookupError),
    *(RecursionError, TypeError, ValueError),
)


class ServingError(RuntimeError):
    """A request without a usable answer. All errors of the client are this."""

    may_retry = False


class BadRequest(ServingError, ValueError):
    """A request that no server of this model can answer."""


class Unavailable(ServingError, ConnectionError):
    """The server cannot be reached, or is too busy. It may answer later."""

    may_retry = True


class TimedOut(ServingError, TimeoutError):
    """No answer in time. Not retried: the server may still be computing it."""

    @classmethod
    def after(cls, seconds, place):
        return cls(
            f"No answer from {place} within {seconds:g} seconds. Send fewer "
            "texts at a time, or allow more time by `timeout`."
        )


class BadAnswer(ServingError):
    """An answer that is too large, or not in the expected format."""

    @classmethod
    def too_large(cls, most, place):
        return cls(
            f"An answer of {place} must have at most {most} bytes. Received: a "
            "larger one. Send fewer texts at a time, or allow more by "
            "`max_answer_bytes`."
        )

    @classmethod
    def strange(cls, what, place):
        return cls(f"{place} must be TensorFlow Serving. Received: {what}")


class PartialFailure(ServingError):
    """Some rows were answered, others were not.

    Args:
        rows: List of answers, `None` where there is none.
        errors: Dict of `(first, last + 1)` of the rows -> `ServingError`.
    """

    def __init__(self, rows, errors):
        self.rows = rows
        self.errors = errors
        missing = sum(row is None for row in rows)
        (first, end), error = next(iter(errors.items()))
        super().__init__(
            f"{missing} of {len(rows)} rows have no answer. Received: first of "
            f"all, for rows {first} to {end - 1}: {error} The answers are in "
            "`error.rows`, the reasons in `error.errors`."
        )


@contextlib.contextmanager
def reading(what, place):
    """Turn any error raised while an answer is read into a `BadAnswer`.

    Args:
        what: String, what was received if the answer cannot be read.
        place: String, who answered.
    """
    try:
        yield
    except MISREADINGS as error:
        raise BadAnswer.strange(what, place) from error
