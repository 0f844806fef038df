"""BLEU score, computed by sacrebleu."""

from keras_seq2seq.metrics.reads import reads_texts
from keras_seq2seq.metrics.signed_score import SignedScore
from keras_seq2seq.metrics.with_sacrebleu import corpus_score
from keras_seq2seq.metrics.with_sacrebleu import sacrebleu_metrics
from keras_seq2seq.utils.checks import check_choice


@reads_texts
def bleu(
    references, hypotheses, *, tokenize="13a", lowercase=False
) -> SignedScore:
    """BLEU score of a corpus in percent, computed by sacrebleu.

    Geometric mean of the precisions of word n-grams of order 1 to 4. It is
    multiplied by `exp(1 - r / c)` if the length `c` of the hypotheses is less
    than the length `r` of the references. Texts must not be tokenized;
    sacrebleu does it. Sources may have different numbers of references.

    Args:
        references: List with a list of strings for each source.
        hypotheses: List with a string for each source.
        tokenize: String. Tokenizer of sacrebleu, such as `"13a"`, `"zh"` for
            Chinese, or `"char"` for characters. Defaults to `"13a"`.
        lowercase: Boolean. Whether to ignore case. Defaults to `False`.

    Returns:
        `SignedScore` in `[0, 100]`.

    Example:

    >>> references = [["the cat sat on the mat ."]]
    >>> found = k2s.metrics.bleu(references, ["the cat sat on a mat ."])
    >>> print(f"{found:.1f}")
    48.9
    >>> found.signature
    'BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:...'

    References:
        - [Papineni et al., 2002](https://aclanthology.org/P02-1040/)
        - [Post, 2018](https://aclanthology.org/W18-6319/): sacrebleu
    """
    metric = create_bleu(tokenize=tokenize, lowercase=lowercase)
    return corpus_score(metric, references, hypotheses)


def create_bleu(*, tokenize="13a", lowercase=False):
    """Create the metric of sacrebleu; arguments as for `bleu`."""
    module = sacrebleu_metrics()
    check_choice(tokenize, "tokenize", {*module.BLEU.TOKENIZERS})
    return module.BLEU(tokenize=tokenize, lowercase=lowercase)
