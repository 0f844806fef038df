"""Errors per token."""

from rapidfuzz.distance import Levenshtein

from keras_seq2seq.metrics.checks import check_pairs


def phoneme_error_rate(references, hypotheses) -> float:
    """Phoneme error rate (PER), also known as token error rate.

    `sum(errors) / sum(reference lengths)` over all sources. Errors are the
    insertions, deletions and substitutions between a hypothesis and its closest
    reference: the one with the fewest errors, and of several the longest. With
    words as tokens and one reference per source, this is the word error rate of
    speech recognition; with characters as tokens it is the character error
    rate. It may exceed 1.

    Args:
        references: List with a list of token lists for each source.
        hypotheses: List with a token list for each source.

    Returns:
        Float, a fraction: `0.05` is 5 %.

    Example:

    >>> references = [[["K", "AA", "R"]], [["EY"], ["AH"]]]
    >>> k2s.metrics.phoneme_error_rate(references, [["K", "AA"], ["AH"]])
    0.25
    """
    pairs = count_token_errors(references, hypotheses)
    length = sum(length for _, length in pairs)
    if not length:
        raise ValueError(
            "`references` must hold at least one token. Received: only empty "
            "token lists. A rate per token needs a token."
        )
    return sum(errors for errors, _ in pairs) / length


def count_token_errors(references, hypotheses):
    """List of the errors and the reference length of each source."""
    check_pairs(references, hypotheses)
    return [
        _closest(group, hypothesis)
        for group, hypothesis in zip(references, hypotheses)
    ]


def _closest(group, hypothesis):
    """Errors and length of the closest reference."""
    pairs = [
        (Levenshtein.distance(reference, hypothesis), len(reference))
        for reference in group
    ]
    return min(pairs, key=lambda pair: (pair[0], -pair[1]))
