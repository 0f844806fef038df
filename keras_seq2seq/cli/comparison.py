"""Comparison of two tasks by paired bootstrap resampling."""

import sys

from keras_seq2seq.metrics import SignedScore
from keras_seq2seq.metrics import paired_bootstrap
from keras_seq2seq.metrics.reads import LOG_PROBS
from keras_seq2seq.metrics.reads import TEXTS
from keras_seq2seq.metrics.reads import get_reads
from keras_seq2seq.tasks.evaluation import metric_functions

INTERVAL = "95 % interval"


def compare(
    baseline, other, corpus, *, names, metrics, num_samples: int
) -> list:
    """Print scores, intervals and a p-value for each metric.

    Args:
        baseline, other: Tasks. Tokens are those of the baseline's tokenizer.
        corpus: `ParallelCorpus`.
        names: Pair of strings, for the head of the table.
        metrics: List of names, or `None` for the default ones.
        num_samples: Integer.

    Returns:
        List of two lists with a `Hypothesis` for each source.
    """
    functions = metric_functions(metrics or baseline.default_metrics)
    for name, function in functions.items():
        if get_reads(function) == LOG_PROBS:
            raise ValueError(
                "`--metrics` must compare texts where two tasks are compared. "
                f"Received: --metrics {name} and --against."
            )
    systems = [
        task.evaluate(
            corpus,
            metrics=[],
            return_hypotheses=True,
            verbose=sys.stdout.isatty(),
        )[1]
        for task in (baseline, other)
    ]
    inputs = {
        True: (corpus.references, *([x.text for x in y] for y in systems)),
        False: _tokens((baseline, other), systems, corpus.references),
    }
    found = {
        name: paired_bootstrap(
            *inputs[get_reads(function) == TEXTS],
            metric=function,
            num_samples=num_samples,
        )
        for name, function in functions.items()
    }
    _print_table(found, names)
    return systems


def _tokens(pair, systems, references):
    """Tokens of the references and of both systems."""
    tokenizers = [task.target_tokenizer for task in pair]
    split = tokenizers[0].tokenize
    vocabularies = [[*x.vocabulary.tokens] for x in tokenizers]
    baseline, other = ([best.tokens for best in x] for x in systems)
    if vocabularies[0] != vocabularies[1]:
        other = [split(best.text) for best in systems[1]]
    return [[split(text) for text in x] for x in references], baseline, other


def _print_table(found, names):
    header = "metric", names[0], INTERVAL, names[1], INTERVAL, "p"
    rows = [header, *(_row(name, scores) for name, scores in found.items())]
    widths = [max(map(len, column)) for column in zip(*rows)]
    for first, *others in rows:
        cells = [cell.rjust(n) for cell, n in zip(others, widths[1:])]
        print("  ".join([first.ljust(widths[0]), *cells]))
    for scores in found.values():
        if isinstance(scores.baseline, SignedScore):
            print(scores.baseline.signature)
    print(f"{scores.num_samples:,} samples, seed {scores.seed}")


def _row(name, found):
    factor = 1 if isinstance(found.baseline, SignedScore) else 100  # percent
    cells = []
    for score, (low, high) in (
        (found.baseline, found.baseline_interval),
        (found.other, found.other_interval),
    ):
        interval = f"{factor * low:.2f} to {factor * high:.2f}"
        cells += [f"{factor * score:.2f}", interval]
    return (name.upper(), *cells, f"{found.p_value:.4f}")
