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
    check_text_pairs(references, hypotheses)
    right = sum(
        hypothesis in list(group)
        for group, hypothesis in zip(references, hypotheses)
    )
    return right / len(hypotheses)
