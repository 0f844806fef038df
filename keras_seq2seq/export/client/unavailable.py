from keras_seq2seq.export.client.serving_error import ServingError


class Unavailable(ServingError, ConnectionError):
    """No server, or one that is too busy. Worth another try."""

    may_retry = True
