"""Answer texts with a saved task.

Prints one answer a line; with --n-best, several lines a text, each with the
text, the score and the answer, separated by tabs.
"""

import sys

from keras_seq2seq import tasks
from keras_seq2seq.cli.options import add_task
from keras_seq2seq.cli.options import at_least_one
from keras_seq2seq.cli.options import read_lines
from keras_seq2seq.cli.options import standard_input
from keras_seq2seq.cli.options import utf8_text
from keras_seq2seq.cli.search_options import add_search
from keras_seq2seq.cli.search_options import search_of


def add_options(parser) -> None:
    add_task(parser)
    parser.add_argument(
        "texts",
        nargs="*",
        type=utf8_text,
        metavar="TEXT",
        help="default: the lines of --file, or of standard input",
    )
    parser.add_argument("--file", metavar="FILE", help="texts, one a line")
    parser.add_argument(
        "--n-best", type=at_least_one, metavar="N", help="answers a text"
    )
    parser.add_argument(
        "--prefix",
        dest="prefixes",
        type=utf8_text,
        metavar="TEXT",
        help="what each answer begins with",
    )
    parser.add_argument(
        "--seed", type=int, metavar="N", help="of a search that samples"
    )
    parser.add_argument(
        "--replace-unknown",
        action="store_true",
        help="unknown tokens become the source tokens most attended to",
    )
    add_search(parser)


def run(options) -> None:
    if options.texts and options.file:
        raise ValueError(
            "Texts come as arguments or from --file, not both. Received: "
            f"{len(options.texts)} texts, and --file {options.file}."
        )
    task = tasks.load(options.task)
    if not options.texts and not options.file and standard_input().isatty():
        print("Texts, one a line; Ctrl-D ends.", file=sys.stderr)
    texts = options.texts or read_lines(options.file)
    if not texts:
        return
    settings = {
        "search": search_of(options, task),
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
