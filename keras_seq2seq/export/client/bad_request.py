from keras_seq2seq.export.client.serving_error import ServingError


class BadRequest(ServingError, ValueError):
    """A request that no server of this model will ever answer."""
