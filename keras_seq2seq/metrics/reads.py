"""Marks what a metric reads: tokens, texts or log-probabilities."""

TOKENS, TEXTS, LOG_PROBS = "tokens", "texts", "log_probs"


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
    function.reads = TEXTS
    return function


def reads_log_probs(function):
    """Decorator of a metric to which `task.evaluate` passes log-probabilities.

    These are what `task.score` computes for the references; no texts are
    generated for such a metric.

    Args:
        function: Callable that takes `log_probs`, a list with a list of arrays
            for each source: the log-probability of each token of each
            reference, with the end token last.

    Returns:
        The callable.

    Example:

    >>> @k2s.metrics.reads_log_probs
    ... def worst(log_probs):
    ...     return min(min(row) for group in log_probs for row in group)
    >>> worst([[[-0.5, -0.1], [-2.0]], [[-0.3]]])
    -2.0
    """
    function.reads = LOG_PROBS
    return function


def get_reads(function):
    """What a metric reads: `"tokens"`, `"texts"` or `"log_probs"`."""
    return getattr(function, "reads", TOKENS)
