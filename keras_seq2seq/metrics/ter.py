"""Translation edit rate, computed by sacrebleu."""

from keras_seq2seq.metrics.reads import reads_texts
from keras_seq2seq.metrics.signed_score import SignedScore
from keras_seq2seq.metrics.with_sacrebleu import corpus_score
from keras_seq2seq.metrics.with_sacrebleu import sacrebleu_metrics


@reads_texts
def ter(references, hypotheses, *, case_sensitive=False) -> SignedScore:
    """Translation edit rate (TER) of a corpus in percent, by sacrebleu.

    `sum(edits) / sum(reference lengths)` in words. Edits are insertions,
    deletions, substitutions and shifts of phrases. With several references,
    edits are those to the closest one, and the length is the mean of all.
    Sources may have different numbers of references. It may exceed 100.

    Args:
        references: List with a list of strings for each source.
        hypotheses: List with a string for each source.
        case_sensitive: Boolean. Whether case matters. Defaults to `False`.

    Returns:
        `SignedScore` of at least 0.

    Example:

    >>> found = k2s.metrics.ter([["we saw it today"]], ["today we saw him"])
    >>> print(f"{found:.1f}")  # a shift and a substitution
    50.0
    >>> found.signature
    'TER|nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:...'

    References:
        - [Snover et al., 2006](https://aclanthology.org/2006.amta-papers.25/)
        - [Post, 2018](https://aclanthology.org/W18-6319/): sacrebleu
    """
    metric = create_ter(case_sensitive=case_sensitive)
    return corpus_score(metric, references, hypotheses)


def create_ter(*, case_sensitive=False):
    """Create the metric of sacrebleu; arguments as for `ter`."""
    return sacrebleu_metrics().TER(case_sensitive=case_sensitive)
