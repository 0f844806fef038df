from keras_seq2seq.export.client.serving_error import ServingError


class TimedOut(ServingError, TimeoutError):
    """No answer in time. Not tried again: the server may still be at it."""
