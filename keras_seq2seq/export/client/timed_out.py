from keras_seq2seq.export.client.serving_error import ServingError


class TimedOut(ServingError, TimeoutError):
    """No answer in time. Not tried again: the server may still be at it."""

    @classmethod
    def after(cls, seconds, place):
        return cls(
            f"No answer from {place} within {seconds:g} seconds. Send fewer "
            "texts at a time, or allow more time by `timeout`."
        )
