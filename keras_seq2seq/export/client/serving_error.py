class ServingError(RuntimeError):
    """A request that a server did not answer."""

    may_retry = False
