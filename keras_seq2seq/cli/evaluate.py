"""Evaluate a saved task on pairs of texts, or compare it with another one.

    keras-seq2seq evaluate runs/mine --source a.en --target a.it --metrics bleu

The metrics are added to the model card in the folder of the task, where it has
one and can be written to. With --against, nothing is added; it prints a table
with the score of both tasks, their 95 % confidence intervals and a p-value, by
paired bootstrap resampling.
"""

import contextlib
import sys
import time

from keras_seq2seq import tasks
from keras_seq2seq.cli import comparison
from keras_seq2seq.cli.command_line import shorten_path
from keras_seq2seq.cli.options import add_task
from keras_seq2seq.cli.options import at_least_one
from keras_seq2seq.cli.outputs import write_outputs
from keras_seq2seq.cli.pairs import add_pairs
from keras_seq2seq.cli.pairs import read_pairs
from keras_seq2seq.data import ParallelCorpus
from keras_seq2seq.data import cmudict
from keras_seq2seq.metrics import SignedScore
from keras_seq2seq.metrics.registry import METRICS
from keras_seq2seq.tasks.card_files import CARD
from keras_seq2seq.tasks.card_files import add_evaluation
from keras_seq2seq.tasks.description import DESCRIPTION
from keras_seq2seq.utils.files import check_file_target
from keras_seq2seq.utils.files import check_path
from keras_seq2seq.utils.files import sha256


def add_options(parser) -> None:
    add_task(parser)
    add_pairs(parser)
    add = parser.add_argument
    add(
        "--split",
        choices=("train", "validation", "test"),
        default="test",
        help="split of cmudict (default: test)",
    )
    add(
        "--limit",
        type=at_least_one,
        metavar="N",
        help="use only the first N sources",
    )
    add("--metrics", nargs="+", choices=sorted(METRICS))
    add(
        "--against",
        metavar="TASK",
        help="folder of a second task to compare with",
    )
    add(
        "--samples",
        type=at_least_one,
        default=1000,
        metavar="N",
        help="number of samples for --against (default: 1000)",
    )
    add(
        "--output",
        metavar="FILE",
        help="file for sources, answers, scores and references: JSON lines if "
        "it ends with .jsonl, otherwise separated by tabs",
    )


def run(options) -> None:
    if options.output is not None:
        check_file_target(options.output, "output")
    folder = check_path(options.task, "task")
    task = tasks.load(folder)
    saved = sha256(folder / DESCRIPTION)  # which has that of the weights
    corpus = _read_corpus(options)[: options.limit]
    begun = time.monotonic()
    if options.against is None:
        systems = _evaluate(task, corpus, options)
    else:
        systems = comparison.compare(
            task,
            tasks.load(options.against),
            corpus,
            names=(options.task, options.against),
            metrics=options.metrics,
            num_samples=options.samples,
        )
    print(f"{len(corpus):,} sources in {time.monotonic() - begun:.1f} s")
    if options.output is not None:
        write_outputs(options.output, corpus, systems)
    if options.against is None:
        _record(task, folder, saved, options)
    if options.output is not None:
        print(options.output)


def _record(task, folder, saved, options):
    """Add what `evaluate` has found to the card in the folder."""
    files = [options.corpus] if options.corpus else options.target
    name = " ".join(map(shorten_path, files))
    with contextlib.suppress(OSError):  # the folder may be gone
        if saved != sha256(folder / DESCRIPTION):  # another task by now
            return
        for entry in task.card.evaluations[-1:]:
            entry = {**entry, "data": {**entry["data"], "corpus": name}}
            if add_evaluation(folder, entry):
                print(f"Recorded in {folder / CARD}")


def _read_corpus(options):
    if options.corpus == "cmudict" and not (options.source or options.target):
        return getattr(cmudict(), options.split)
    sides = options.source, options.target
    return read_pairs(ParallelCorpus, options.corpus, *sides)


def _evaluate(task, corpus, options):
    """Print a line for each metric; return the hypotheses in a list."""
    keep = options.output is not None
    found = task.evaluate(
        corpus,
        metrics=options.metrics,
        return_hypotheses=keep,
        verbose=sys.stdout.isatty(),
    )
    rates, hypotheses = found if keep else (found, None)
    for name, rate in rates.items():
        print(_line(name, rate))
    return [hypotheses]


def _line(name, rate):
    if isinstance(rate, SignedScore):
        return f"{name.upper()} {rate:.2f} ({rate.signature})"
    if name == "perplexity":
        return f"{name.upper()} {rate:.2f}"
    return f"{name.upper()} {rate:.2%}"
