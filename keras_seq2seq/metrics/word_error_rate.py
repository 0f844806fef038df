"""Errors per word."""

from keras_seq2seq.metrics.checks import check_pairs


def word_error_rate(references, hypotheses) -> float:
    """Word error rate (WER) of pronunciations: the share of wrong words.

    The fraction of sources whose hypothesis is not equal to any of its
    references. If a source is a word and its tokens are phones, this is the
    fraction of words with a wrong pronunciation. For sentences it is the
    sentence error rate, not the word error rate of speech recognition; for that
    see `phoneme_error_rate`, with words as tokens.

    Args:
        references: List with a list of token lists for each source.
        hypotheses: List with a token list for each source.

    Returns:
        Float in `[0, 1]`, a fraction: `0.3` is 30 %.

    Example:

    >>> references = [[["K", "AA", "R"]], [["EY"], ["AH"]]]
    >>> k2s.metrics.word_error_rate(references, [["K", "AA"], ["AH"]])
    0.5
    """
    pairs = count_wrong(references, hypotheses)
    return sum(wrong for wrong, _ in pairs) / len(pairs)


def count_wrong(references, hypotheses):
    """List with `(is_wrong, 1)` for each source."""
    check_pairs(references, hypotheses)
    return [
        (list(hypothesis) not in map(list, group), 1)
        for group, hypothesis in zip(references, hypotheses)
    ]
