"""Exact matches per source."""

from keras_seq2seq.metrics.checks import check_text_pairs
from keras_seq2seq.metrics.reads import reads_texts


@reads_texts
def exact_match(references, hypotheses) -> float:
    """Fraction of sources whose hypothesis is equal to one of its references.

    Case and spaces matter. `1 - word_error_rate` may differ from it, because
    that compares tokens: a tokenizer may change case or spaces.

    Args:
        references: List with a list of strings for each source.
        hypotheses: List with a string for each source.

    Returns:
        Float in `[0, 1]`, a fraction: `0.3` is 30 %.

    Example:

    >>> k2s.metrics.exact_match([["ok", "OK"], ["no"]], ["OK", "No"])
    0.5
    """
    pairs = count_matches(references, hypotheses)
    return sum(right for right, _ in pairs) / len(pairs)


def count_matches(references, hypotheses):
    """List with `(is_right, 1)` for each source."""
    check_text_pairs(references, hypotheses)
    return [
        (hypothesis in list(group), 1)
        for group, hypothesis in zip(references, hypotheses)
    ]
