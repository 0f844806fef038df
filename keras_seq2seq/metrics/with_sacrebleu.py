"""Computes scores with sacrebleu, an optional package."""

from keras_seq2seq.metrics.checks import check_text_pairs
from keras_seq2seq.metrics.signed_score import SignedScore


def sacrebleu_metrics():
    """Import the metrics of sacrebleu."""
    try:
        import sacrebleu.metrics
    except ImportError as error:
        raise ImportError(
            f"BLEU, chrF and TER need sacrebleu. Received: {error}. "
            "pip install 'keras-seq2seq[metrics]'"
        ) from error
    return sacrebleu.metrics


def corpus_score(metric, references, hypotheses) -> SignedScore:
    """Compute a `SignedScore` with a metric of sacrebleu.

    Args:
        metric: Metric of sacrebleu.
        references: List with a list of strings for each source.
        hypotheses: List with a string for each source.
    """
    check_text_pairs(references, hypotheses)
    found = metric.corpus_score(list(hypotheses), streams(references))
    return SignedScore(found.score, f"{found.name}|{metric.get_signature()}")


def streams(references):
    """Transpose references; `None` stands for a missing one."""
    return [
        [group[i] if i < len(group) else None for group in references]
        for i in range(max(map(len, references)))
    ]
