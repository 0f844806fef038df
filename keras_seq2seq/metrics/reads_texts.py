"""Marks metrics that compare texts, not tokens."""


def reads_texts(function):
    """Decorator of a metric to which `task.evaluate` passes texts.

    Without it, a metric receives token lists.

    Args:
        function: Callable that takes `references`, a list with a list of
            strings for each source, and `hypotheses`, a list with a string for
            each source.

    Returns:
        The callable.

    Example:

    >>> @k2s.metrics.reads_texts
    ... def empty(references, hypotheses):
    ...     return hypotheses.count("") / len(hypotheses)
    >>> empty([["a"], ["b"]], ["a", ""])
    0.5
    """
    function.compares_texts = True
    return function


def compares_texts(function):
    """Whether a metric is decorated by `reads_texts`."""
    return getattr(function, "compares_texts", False)
