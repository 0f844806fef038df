"""chrF score, computed by sacrebleu."""

from keras_seq2seq.metrics.reads import reads_texts
from keras_seq2seq.metrics.signed_score import SignedScore
from keras_seq2seq.metrics.with_sacrebleu import corpus_score
from keras_seq2seq.metrics.with_sacrebleu import sacrebleu_metrics
from keras_seq2seq.utils.checks import check_integer


@reads_texts
def chrf(
    references, hypotheses, *, word_order=0, lowercase=False
) -> SignedScore:
    """chrF2 score of a corpus in percent, computed by sacrebleu.

    F-score of character n-grams of order 1 to 6, without spaces, in which
    recall has twice the weight of precision. For each source the reference with
    the best score counts. Sources may have different numbers of references.

    Args:
        references: List with a list of strings for each source.
        hypotheses: List with a string for each source.
        word_order: Integer. Highest order of word n-grams: `2` is chrF++.
            Defaults to `0`.
        lowercase: Boolean. Whether to ignore case. Defaults to `False`.

    Returns:
        `SignedScore` in `[0, 100]`.

    Example:

    >>> found = k2s.metrics.chrf([["a cat"], ["dogs", "dog"]], ["a cat", "dog"])
    >>> print(f"{found:.1f}")
    100.0
    >>> found.signature
    'chrF2|nrefs:var|case:mixed|eff:yes|nc:6|nw:0|space:no|version:...'

    References:
        - [Popović, 2015](https://aclanthology.org/W15-3049/)
        - [Post, 2018](https://aclanthology.org/W18-6319/): sacrebleu
    """
    metric = create_chrf(word_order=word_order, lowercase=lowercase)
    return corpus_score(metric, references, hypotheses)


def create_chrf(*, word_order=0, lowercase=False):
    """Create the metric of sacrebleu; arguments as for `chrf`."""
    word_order = check_integer(word_order, "word_order", 0)
    return sacrebleu_metrics().CHRF(word_order=word_order, lowercase=lowercase)
