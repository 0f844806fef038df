"""Generate answers to texts with a saved task.

Prints one answer per line; with --n-best, a line with text, score and answer,
separated by tabs, for each answer.
"""

import sys

from keras_seq2seq import tasks
from keras_seq2seq.cli.options import add_task
from keras_seq2seq.cli.options import at_least_one
from keras_seq2seq.cli.options import read_lines
from keras_seq2seq.cli.options import standard_input
from keras_seq2seq.cli.options import utf8_text
from keras_seq2seq.cli.search_options import add_search
from keras_seq2seq.cli.search_options import make_search


def add_options(parser) -> None:
    add_task(parser)
    parser.add_argument(
        "texts",
        nargs="*",
        type=utf8_text,
        metavar="TEXT",
        help="default: the lines of --file, or of standard input",
    )
    parser.add_argument(
        "--file", metavar="FILE", help="file of texts, one per line"
    )
    parser.add_argument(
        "--n-best",
        type=at_least_one,
        metavar="N",
        help="number of answers to each text",
    )
    parser.add_argument(
        "--prefix",
        dest="prefixes",
        type=utf8_text,
        metavar="TEXT",
        help="beginning of each answer",
    )
    parser.add_argument(
        "--seed", type=int, metavar="N", help="seed of a search that samples"
    )
    parser.add_argument(
        "--replace-unknown",
        action="store_true",
        help="replace unknown tokens by the source tokens attended to most",
    )
    add_search(parser)


def run(options) -> None:
    if options.texts and options.file:
        raise ValueError(
            "Texts must be arguments or in --file, not both. Received: "
            f"{len(options.texts)} texts, and --file {options.file}."
        )
    task = tasks.load(options.task)
    if not options.texts and not options.file and standard_input().isatty():
        print("Enter texts, one per line, then Ctrl-D.", file=sys.stderr)
    texts = options.texts or read_lines(options.file)
    if not texts:
        return
    settings = {
        "search": make_search(options, task),
        "prefixes": options.prefixes,
        "seed": options.seed,
        "replace_unknown": options.replace_unknown,
        "verbose": False,
    }
    if options.n_best is None:
        print("\n".join(task.generate(texts, **settings)))
        return
    found = task.generate(texts, n_best=options.n_best, **settings)
    for text, hypotheses in zip(texts, found):
        for best in hypotheses:
            print(f"{text}\t{best.score:.4f}\t{best.text}")
