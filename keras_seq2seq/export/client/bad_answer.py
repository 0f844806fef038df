import contextlib

from keras_seq2seq.export.client.serving_error import ServingError

MISREADINGS = (
    *(ArithmeticError, AttributeError, LookupError),
    *(RecursionError, TypeError, ValueError),
)


class BadAnswer(ServingError):
    """An answer that is too large, or not of the form that was asked for."""

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


@contextlib.contextmanager
def reading(what, place):
    """Whatever is raised while an answer is read becomes a `BadAnswer`.

    Args:
        what: String, what the answer is where it cannot be read.
        place: String, who answered.
    """
    try:
        yield
    except MISREADINGS as error:
        raise BadAnswer.strange(what, place) from error
