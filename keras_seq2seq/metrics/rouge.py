"""ROUGE scores, computed by rouge-score."""

import importlib.metadata

from keras_seq2seq.metrics.checks import check_text_pairs
from keras_seq2seq.metrics.reads import reads_texts
from keras_seq2seq.metrics.rouge_words import split_words
from keras_seq2seq.metrics.signed_score import SignedScore


@reads_texts
def rouge1(references, hypotheses, *, tokenize=None) -> SignedScore:
    """ROUGE-1 score of a corpus in percent, computed by rouge-score.

    Mean over all sources of the F1 score of words, the harmonic mean of
    precision and recall. With several references, the one with the best score
    counts. Words are compared in lower case and without punctuation marks. In
    scripts without spaces between words, such as Han, kana and Thai, each
    character is a word. There is no stemming. A text without a word has score
    0.

    Args:
        references: List with a list of strings for each source.
        hypotheses: List with a string for each source.
        tokenize: Function of a string that returns its list of words. Defaults
            to `None`, as described above.

    Returns:
        `SignedScore` in `[0, 100]`.

    Example:

    >>> found = k2s.metrics.rouge1([["The cat sat."]], ["the cat sat down"])
    >>> print(f"{found:.1f}")
    85.7
    >>> found.signature
    'ROUGE-1|nrefs:1|tok:words|stem:no|version:...'

    References:
        - [Lin, 2004](https://aclanthology.org/W04-1013/)
    """
    return _mean_score("rouge1", references, hypotheses, tokenize)


@reads_texts
def rouge2(references, hypotheses, *, tokenize=None) -> SignedScore:
    """ROUGE-2 score of a corpus in percent, computed by rouge-score.

    As `rouge1`, with pairs of neighboring words.

    Args:
        references, hypotheses, tokenize: As for `rouge1`.

    Returns:
        `SignedScore` in `[0, 100]`.

    Example:

    >>> found = k2s.metrics.rouge2([["The cat sat."]], ["the cat sat down"])
    >>> print(f"{found:.1f}")
    80.0
    """
    return _mean_score("rouge2", references, hypotheses, tokenize)


@reads_texts
def rougeL(references, hypotheses, *, tokenize=None) -> SignedScore:
    """ROUGE-L score of a corpus in percent, computed by rouge-score.

    As `rouge1`, with the words of the longest common subsequence.

    Args:
        references, hypotheses, tokenize: As for `rouge1`.

    Returns:
        `SignedScore` in `[0, 100]`.

    Example:

    >>> found = k2s.metrics.rougeL([["a cat sat"]], ["sat a cat"])
    >>> print(f"{found:.1f}")
    66.7
    """
    return _mean_score("rougeL", references, hypotheses, tokenize)


def import_scorer():
    """Import the scorer of rouge-score, an optional package."""
    try:
        from rouge_score import rouge_scorer
    except ImportError as error:
        raise ImportError(
            f"ROUGE needs rouge-score. Received: {error}. "
            "pip install 'keras-seq2seq[metrics]'"
        ) from error
    return rouge_scorer


def count_rouge(name, references, hypotheses, *, tokenize=None):
    """List with `(F1 score in percent, 1)` for each source."""
    check_text_pairs(references, hypotheses)
    words = _Tokenizer(split_words if tokenize is None else tokenize)
    scorer = import_scorer().RougeScorer([name], tokenizer=words)
    return [
        (100 * scorer.score_multi(group, hypothesis)[name].fmeasure, 1)
        for group, hypothesis in zip(references, hypotheses)
    ]


def rouge_signature(name, references, tokenize=None):
    """Signature of a score, in the form of sacrebleu."""
    counts = {len(group) for group in references}
    nrefs = counts.pop() if len(counts) == 1 else "var"
    words = "words" if tokenize is None else "own"
    version = importlib.metadata.version("rouge-score")
    return (
        f"ROUGE-{name.removeprefix('rouge')}|nrefs:{nrefs}|tok:{words}"
        f"|stem:no|version:{version}"
    )


def _mean_score(name, references, hypotheses, tokenize):
    counts = count_rouge(name, references, hypotheses, tokenize=tokenize)
    mean = sum(score for score, _ in counts) / len(counts)
    return SignedScore(mean, rouge_signature(name, references, tokenize))


class _Tokenizer:
    """Tokenizer of rouge-score."""

    def __init__(self, tokenize):
        self.tokenize = tokenize
