"""Score given target texts with a saved task.

    keras-seq2seq score runs/mine pairs.tsv
    keras-seq2seq score runs/mine --source test.en --target test.it --json

Prints the log-probability of each target given its source, including the end
of the text, on a line of its own; with --json a JSON object for each pair, with
the log-probability of each token. Files of any size are read part by part.
"""

import json

import numpy as np

from keras_seq2seq import tasks
from keras_seq2seq.cli.options import add_task
from keras_seq2seq.cli.pairs import add_pairs
from keras_seq2seq.cli.pairs import read_pairs
from keras_seq2seq.data import StreamedCorpus
from keras_seq2seq.utils.chunks import chunks
from keras_seq2seq.utils.progress import Counter

WINDOW = 4096  # pairs that are sorted by length together


def add_options(parser) -> None:
    add_task(parser)
    add_pairs(parser)
    parser.add_argument(
        "--json",
        action="store_true",
        help="JSON lines with source, target, score, tokens and log_probs",
    )


def run(options) -> None:
    sides = options.source, options.target
    pairs = read_pairs(StreamedCorpus, options.corpus, *sides).pairs()
    task = tasks.load(options.task)
    progress, count = Counter("pairs scored"), 0
    for chunk in chunks(pairs, WINDOW):
        scores = task.score(chunk, per_token=True, verbose=False)
        for pair, log_probs in zip(chunk, scores):
            print(_line(task, pair, log_probs, options.json))
        count += len(chunk)
        progress(count)


def _line(task, pair, log_probs, as_json):
    score = round(float(np.sum(log_probs)), 4)
    if not as_json:
        return f"{score:.4f}"
    source, target = pair
    row = {"source": source, "target": target, "score": score}
    row["tokens"] = task.target_tokenizer.tokenize(target)
    row["log_probs"] = [round(float(x), 4) for x in log_probs]
    return json.dumps(row, ensure_ascii=False)
