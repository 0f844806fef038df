"""Whether one of two systems is better than the other."""

import functools
import os

import numpy as np

from keras_seq2seq.metrics.bleu import bleu
from keras_seq2seq.metrics.bleu import create_bleu
from keras_seq2seq.metrics.character_error_rate import character_error_rate
from keras_seq2seq.metrics.character_error_rate import count_character_errors
from keras_seq2seq.metrics.checks import check_text_pairs
from keras_seq2seq.metrics.chrf import chrf
from keras_seq2seq.metrics.chrf import create_chrf
from keras_seq2seq.metrics.exact_match import count_matches
from keras_seq2seq.metrics.exact_match import exact_match
from keras_seq2seq.metrics.paired_scores import PairedScores
from keras_seq2seq.metrics.phoneme_error_rate import count_token_errors
from keras_seq2seq.metrics.phoneme_error_rate import phoneme_error_rate
from keras_seq2seq.metrics.reads import LOG_PROBS
from keras_seq2seq.metrics.reads import get_reads
from keras_seq2seq.metrics.registry import get
from keras_seq2seq.metrics.rouge import count_rouge
from keras_seq2seq.metrics.rouge import rouge1
from keras_seq2seq.metrics.rouge import rouge2
from keras_seq2seq.metrics.rouge import rougeL
from keras_seq2seq.metrics.signed_score import SignedScore
from keras_seq2seq.metrics.ter import create_ter
from keras_seq2seq.metrics.ter import ter
from keras_seq2seq.metrics.with_sacrebleu import streams
from keras_seq2seq.metrics.word_error_rate import count_wrong
from keras_seq2seq.metrics.word_error_rate import word_error_rate
from keras_seq2seq.utils.checks import check_integer

SACREBLEU = {bleu: create_bleu, chrf: create_chrf, ter: create_ter}
# Functions that return a numerator and a denominator for each source; the
# metric is the sum of the former over the sum of the latter.
COUNTS = {
    phoneme_error_rate: count_token_errors,
    word_error_rate: count_wrong,
    character_error_rate: count_character_errors,
    exact_match: count_matches,
    rouge1: functools.partial(count_rouge, "rouge1"),
    rouge2: functools.partial(count_rouge, "rouge2"),
    rougeL: functools.partial(count_rouge, "rougeL"),
}


def paired_bootstrap(
    references, baseline, other, *, metric="bleu", num_samples=1000, **options
) -> PairedScores:
    """Compare two systems by paired bootstrap resampling.

    Sources are drawn with replacement, as many as there are, `num_samples`
    times, the same for both systems. BLEU, chrF and TER are resampled by
    sacrebleu, all other metrics here, by the same procedure. The p-value is
    `(c + 1) / (num_samples + 1)`, where `c` is the number of samples with
    `|d_i| - mean(|d|) > |d|`: the difference `d_i` on a sample exceeds the
    mean by more than the difference `d` on all sources. It is 1 if `d` is 0.
    The 95 % confidence intervals leave out 1/40 of the samples on each side.

    The seed of the samples is 12345, or the environment variable
    `SACREBLEU_SEED`.

    Args:
        references: List with a list of references for each source: strings, or
            token lists for `"per"` and `"wer"`.
        baseline, other: Lists with a hypothesis of each system for each source.
        metric: Name of a metric, or a function, as for `get`. A function of
            your own is called for each sample. Defaults to `"bleu"`.
        num_samples: Integer. Number of samples. Defaults to `1000`.
        **options: Arguments of the metric, such as `tokenize="zh"` for BLEU.

    Returns:
        `PairedScores`.

    Example:

    >>> references = [["a"], ["b"], ["c"], ["d"]] * 10
    >>> scores = k2s.metrics.paired_bootstrap(
    ...     references, list("abxy") * 10, list("abcy") * 10,
    ...     metric="exact_match",
    ... )
    >>> scores.baseline, scores.other, scores.p_value < 0.05
    (0.5, 0.75, True)

    References:
        - [Koehn, 2004](https://aclanthology.org/W04-3250/)
        - [Post, 2018](https://aclanthology.org/W18-6319/): sacrebleu
    """
    function = get(metric)
    num_samples = check_integer(num_samples, "num_samples", 1)
    if get_reads(function) == LOG_PROBS:
        raise ValueError(
            "`metric` must compare hypotheses with references. Received: "
            f"metric={metric!r}, which reads log-probabilities."
        )
    systems = [*baseline], [*other]
    if function in SACREBLEU:
        test = SACREBLEU[function](**options)
        return _run_sacrebleu(test, references, systems, num_samples)
    scores = [function(references, system, **options) for system in systems]
    seed, size = read_seed(), len(references)
    draws = np.random.default_rng(seed)  # the same ones as sacrebleu's
    indices = draws.choice(size, size=(num_samples, size), replace=True)
    sampled = [
        _sample(function, references, system, indices, options)
        for system in systems
    ]
    return PairedScores(
        *scores,
        _p_value(*sampled, abs(scores[1] - scores[0])),
        *map(_interval, sampled),
        num_samples,
        seed,
    )


def read_seed():
    """Seed of sacrebleu: 12345, or another in its environment variable."""
    seed = os.environ.get("SACREBLEU_SEED", "12345")
    return None if seed.lower() == "none" else int(seed)


def _run_sacrebleu(metric, references, systems, num_samples):
    from sacrebleu.significance import PairedTest

    for system in systems:
        check_text_pairs(references, system)
    test = PairedTest(
        [*zip(("baseline", "other"), systems)],
        {"metric": metric},
        streams(references),
        test_type="bs",
        n_samples=num_samples,
    )
    signatures, results = test()
    ((name, signature),) = signatures.items()
    baseline, other = results[name]
    return PairedScores(
        SignedScore(baseline.score, f"{name}|{signature}"),
        SignedScore(other.score, f"{name}|{signature}"),
        1.0 if other.score == baseline.score else other.p_value,
        *(
            (float(x.mean - x.ci), float(x.mean + x.ci))
            for x in (baseline, other)
        ),
        num_samples,
        read_seed(),
    )


def _sample(function, references, hypotheses, indices, options):
    """Scores of a system on each sample, a row of indices."""
    if function in COUNTS:
        counts = COUNTS[function](references, hypotheses, **options)
        counts = np.array(counts, "float64")
        sums = np.stack([counts[row].sum(axis=0) for row in indices])
        return sums[:, 0] / np.maximum(sums[:, 1], 1)
    return np.array(
        [
            function(
                [references[i] for i in row],
                [hypotheses[i] for i in row],
                **options,
            )
            for row in indices
        ],
        "float64",
    )


def _p_value(baseline, other, difference):
    """p-value of a difference, by the scores of both systems on samples."""
    if difference == 0:
        return 1.0
    differences = np.abs(other - baseline)
    beyond = differences - differences.mean() > difference
    return float((beyond.sum() + 1) / (len(beyond) + 1))


def _interval(scores):
    """95 % confidence interval: the mean minus and plus half of its width."""
    ordered, cut = np.sort(scores), len(scores) // 40
    half = (ordered[-cut - 1] - ordered[cut]) / 2
    return float(ordered.mean() - half), float(ordered.mean() + half)
