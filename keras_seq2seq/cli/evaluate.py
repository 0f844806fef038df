"""Evaluate a saved task on pairs of texts."""

import sys
import time

from keras_seq2seq import tasks
from keras_seq2seq.cli.options import CORPUS_HELP
from keras_seq2seq.cli.options import add_task
from keras_seq2seq.cli.options import at_least_one
from keras_seq2seq.cli.options import read_corpus
from keras_seq2seq.metrics import SignedScore
from keras_seq2seq.metrics.registry import METRICS


def add_options(parser) -> None:
    add_task(parser)
    add = parser.add_argument
    add("corpus", metavar="CORPUS", help=CORPUS_HELP)
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


def run(options) -> None:
    task = tasks.load(options.task)
    corpus = read_corpus(options.corpus, options.split)[: options.limit]
    begun = time.monotonic()
    rates = task.evaluate(
        corpus, metrics=options.metrics, verbose=sys.stdout.isatty()
    )
    seconds = time.monotonic() - begun
    for name, rate in rates.items():
        print(_line(name, rate))
    print(f"{len(corpus):,} sources in {seconds:.1f} s")


def _line(name, rate):
    if isinstance(rate, SignedScore):
        return f"{name.upper()} {rate:.2f} ({rate.signature})"
    if name == "perplexity":
        return f"{name.upper()} {rate:.2f}"
    return f"{name.upper()} {rate:.2%}"
