"""Looks up metrics by name."""

from keras_seq2seq.metrics.phoneme_error_rate import phoneme_error_rate
from keras_seq2seq.metrics.word_error_rate import word_error_rate

METRICS = {"per": phoneme_error_rate, "wer": word_error_rate}


def get(identifier):
    """Get a metric by name; a callable is returned unchanged.

    Args:
        identifier: `"per"`, `"wer"`, or a callable that takes `references` and
            `hypotheses`, like `phoneme_error_rate`, and returns a number.

    Returns:
        Callable.

    Example:

    >>> k2s.metrics.get("wer")([[["K", "AA"]]], [["K", "EY"]])
    1.0
    """
    if callable(identifier):
        return identifier
    if isinstance(identifier, str) and identifier in METRICS:
        return METRICS[identifier]
    raise ValueError(
        f"A metric must be one of {', '.join(map(repr, METRICS))}, or a "
        f"callable. Received: metric={identifier!r}."
    )
