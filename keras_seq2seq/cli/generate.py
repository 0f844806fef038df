"""Generate answers to texts with a saved task.

    keras-seq2seq generate runs/mine "a source text" --n-best 3
    keras-seq2seq generate runs/mine --file texts.txt --output answers.txt
    cut -f1 pairs.tsv | keras-seq2seq generate runs/mine --json > answers.jsonl

Prints one answer per line; with --n-best, a line with text, score and answer,
separated by tabs, for each answer; with --json a JSON object for each text.
Files of any size are read and answered part by part. A line that is not UTF-8
or too long for the model has an empty answer, and is counted at the end.
"""

import contextlib
import itertools
import sys

from keras_seq2seq import tasks
from keras_seq2seq.cli.answers import Unanswered
from keras_seq2seq.cli.answers import format_of
from keras_seq2seq.cli.options import add_task
from keras_seq2seq.cli.options import at_least_one
from keras_seq2seq.cli.options import stream_lines
from keras_seq2seq.cli.options import utf8_text
from keras_seq2seq.cli.search_options import add_search
from keras_seq2seq.cli.search_options import make_search
from keras_seq2seq.utils.files import check_file_target
from keras_seq2seq.utils.files import new_file
from keras_seq2seq.utils.progress import Counter

WINDOW = 4096  # texts that are sorted by length together


def add_options(parser) -> None:
    add_task(parser)
    add = parser.add_argument
    add(
        "texts",
        nargs="*",
        type=utf8_text,
        metavar="TEXT",
        help="default: the lines of --file, or of standard input",
    )
    add("--file", metavar="FILE", help="file of texts, one per line")
    _add_output(add)
    add(
        "--prefix",
        dest="prefixes",
        type=utf8_text,
        metavar="TEXT",
        help="beginning of each answer",
    )
    add("--seed", type=int, metavar="N", help="seed of a search that samples")
    add(
        "--replace-unknown",
        action="store_true",
        help="replace unknown tokens by the source tokens attended to most",
    )
    add_search(parser)


def _add_output(add):
    add(
        "--output",
        metavar="FILE",
        help="file for the answers (default: standard output)",
    )
    add(
        "--json",
        action="store_true",
        help="JSON lines with text, and answers with text, score and tokens",
    )
    add(
        "--attention-scores",
        action="store_true",
        help="attention scores in the answers of --json, a row for each token",
    )
    add(
        "--n-best",
        type=at_least_one,
        metavar="N",
        help="number of answers to each text",
    )


def run(options) -> None:
    _check(options)
    task = tasks.load(options.task)
    texts, unanswered = iter(options.texts), Unanswered()
    if not options.texts:
        texts = unanswered.watch(stream_lines(options.file))
    texts, again = itertools.tee(texts)  # no further apart than a window
    answers = task.generate_stream(
        again,
        window=WINDOW,
        search=make_search(options, task),
        n_best=options.n_best or (1 if options.json else None),
        prefixes=options.prefixes,
        seed=options.seed,
        replace_unknown=options.replace_unknown,
        return_attention_scores=options.attention_scores,
        verbose=False,
    )
    show, progress = format_of(options), Counter("texts answered")
    with _output(options.output) as file:
        for number, answer in enumerate(answers, 1):
            text = next(texts)
            if answer is None:
                unanswered.add(number, text)
            file.write(show(text, answer))
            progress(number)
    unanswered.report()


def _check(options):
    if options.texts and options.file:
        raise ValueError(
            "Texts must be arguments or in --file, not both. Received: "
            f"{len(options.texts)} texts, and --file {options.file}."
        )
    if options.attention_scores and not options.json:
        raise ValueError(
            "`attention_scores` needs `json`, as a line of text has no place "
            "for them. Received: --attention-scores alone."
        )
    if options.output is not None:
        check_file_target(options.output, "--output")


def _output(path):
    """Context manager of the file for the answers."""
    if path is None:
        return contextlib.nullcontext(sys.stdout)
    return new_file(path, "--output")
