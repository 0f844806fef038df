"""Errors per character."""

from keras_seq2seq.metrics.checks import check_text_pairs
from keras_seq2seq.metrics.phoneme_error_rate import count_token_errors
from keras_seq2seq.metrics.phoneme_error_rate import phoneme_error_rate
from keras_seq2seq.metrics.reads import reads_texts


@reads_texts
def character_error_rate(references, hypotheses) -> float:
    """Character error rate (CER).

    `sum(errors) / sum(reference lengths)` as in `phoneme_error_rate`, with the
    code points of the texts as tokens. Spaces count.

    Args:
        references: List with a list of strings for each source.
        hypotheses: List with a string for each source.

    Returns:
        Float, a fraction: `0.05` is 5 %.

    Example:

    >>> references = [["naïve"], ["a b", "abc"]]
    >>> k2s.metrics.character_error_rate(references, ["naive", "ac"])
    0.25
    """
    return phoneme_error_rate(*_split(references, hypotheses))


def count_character_errors(references, hypotheses):
    """List of the errors and the reference length of each source."""
    return count_token_errors(*_split(references, hypotheses))


def _split(references, hypotheses):
    check_text_pairs(references, hypotheses)
    return (
        [[list(text) for text in group] for group in references],
        [list(text) for text in hypotheses],
    )
