"""Looks up metrics by name."""

from keras_seq2seq.metrics.bleu import bleu
from keras_seq2seq.metrics.character_error_rate import character_error_rate
from keras_seq2seq.metrics.chrf import chrf
from keras_seq2seq.metrics.exact_match import exact_match
from keras_seq2seq.metrics.perplexity import perplexity
from keras_seq2seq.metrics.phoneme_error_rate import phoneme_error_rate
from keras_seq2seq.metrics.rouge import import_scorer
from keras_seq2seq.metrics.rouge import rouge1
from keras_seq2seq.metrics.rouge import rouge2
from keras_seq2seq.metrics.rouge import rougeL
from keras_seq2seq.metrics.ter import ter
from keras_seq2seq.metrics.with_sacrebleu import sacrebleu_metrics
from keras_seq2seq.metrics.word_error_rate import word_error_rate

BY_SACREBLEU = {"bleu": bleu, "chrf": chrf, "ter": ter}
BY_ROUGE_SCORE = {"rouge1": rouge1, "rouge2": rouge2, "rougeL": rougeL}
METRICS = {
    "per": phoneme_error_rate,
    "wer": word_error_rate,
    "cer": character_error_rate,
    "exact_match": exact_match,
    **BY_SACREBLEU,
    **BY_ROUGE_SCORE,
    "perplexity": perplexity,
}


def get(identifier):
    """Get a metric by name; a callable is returned unchanged.

    Args:
        identifier: `"per"` or `"wer"`, which compare tokens; `"cer"`,
            `"exact_match"`, `"bleu"`, `"chrf"`, `"ter"`, `"rouge1"`,
            `"rouge2"` or `"rougeL"`, which compare texts; `"perplexity"`, which
            reads log-probabilities; or a callable that takes `references` and
            `hypotheses`, like `phoneme_error_rate` (or like `bleu`, with
            `reads_texts`), and returns a number.

    Returns:
        Callable.

    Example:

    >>> k2s.metrics.get("wer")([[["K", "AA"]]], [["K", "EY"]])
    1.0
    """
    if callable(identifier):
        return identifier
    if isinstance(identifier, str) and identifier in METRICS:
        if identifier in BY_SACREBLEU:
            sacrebleu_metrics()  # an error before a search, not after it
        if identifier in BY_ROUGE_SCORE:
            import_scorer()
        return METRICS[identifier]
    raise ValueError(
        f"A metric must be one of {', '.join(map(repr, METRICS))}, or a "
        f"callable. Received: metric={identifier!r}."
    )
