"""Wrong words per word."""

from keras_seq2seq.metrics.checks import check_pairs


def word_error_rate(references, hypotheses) -> float:
    """Word error rate (WER) in the sense of pronunciation: wrong whole items.

    The share of sources whose hypothesis equals none of its references, token
    by token. Where a source is a word and its tokens are phones, that is the
    share of words said wrongly. It is an error of the whole item: for sentences
    it would be a sentence error rate, not the word error rate of speech
    recognition (for that see `phoneme_error_rate`, with words as tokens).

    Args:
        references: List, one entry a source, of lists of token lists.
        hypotheses: List, one entry a source, of token lists.

    Returns:
        Float in `[0, 1]`, a fraction: `0.3` is 30 %.

    Example:

    >>> references = [[["K", "AA", "R"]], [["EY"], ["AH"]]]
    >>> k2s.metrics.word_error_rate(references, [["K", "AA"], ["AH"]])
    0.5
    """
    check_pairs(references, hypotheses)
    wrong = sum(
        list(hypothesis) not in map(list, group)
        for group, hypothesis in zip(references, hypotheses)
    )
    return wrong / len(hypotheses)
