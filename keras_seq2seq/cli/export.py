"""Export a saved task as a SavedModel for TensorFlow Serving.

    keras-seq2seq export runs/mine saved_models/mine --searches greedy

Writes FOLDER/1, or the next version, and prints its path.
"""

import sys

from keras_seq2seq import tasks
from keras_seq2seq.cli.options import add_task
from keras_seq2seq.cli.options import at_least_one
from keras_seq2seq.cli.options import read_lines
from keras_seq2seq.export.names import OPTIONAL
from keras_seq2seq.export.selection import list_names
from keras_seq2seq.search import Search
from keras_seq2seq.utils import registry


def add_options(parser) -> None:
    add_task(parser)
    add = parser.add_argument
    add("folder", metavar="FOLDER", help="folder of the versions")
    add(
        "--n-best",
        type=at_least_one,
        metavar="N",
        help="number of answers of n_best (default: the search's, or 5)",
    )
    add(
        "--max-source-length",
        type=at_least_one,
        metavar="N",
        help="maximum length of sources, in tokens (default: 512)",
    )
    add(
        "--searches",
        nargs="+",
        default=(),
        choices=sorted(registry.names(Search)),
        help="further searches, each a signature with its name",
    )
    add(
        "--signatures",
        nargs="+",
        choices=list_names(),
        help="export only these and serving_default (default: all but "
        f"{', '.join(OPTIONAL)})",
    )
    add(
        "--replace-unknown",
        action="store_true",
        help="replace unknown tokens by the source tokens attended to most",
    )
    add(
        "--examples",
        metavar="FILE",
        help="file of texts, one per line, for the warmup requests",
    )


def run(options) -> None:
    task = tasks.load(options.task)
    print("Exporting, in a process with TensorFlow ...", file=sys.stderr)
    length = task.search.max_length
    path = task.export(
        options.folder,
        n_best=options.n_best,
        max_source_length=options.max_source_length,
        searches={
            name: registry.get(name, Search, "--searches", max_length=length)
            for name in options.searches
        },
        signatures=options.signatures,
        examples=options.examples and read_lines(options.examples),
        replace_unknown=options.replace_unknown,
        source=options.task,
    )
    print(path)
