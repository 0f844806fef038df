"""Send texts to a served model.

    keras-seq2seq call http://localhost:8501/v1/models/mine "a source text"

URL is http://HOST:8501/v1/models/NAME, or grpc://HOST:8500/NAME. Prints a line
with text, score and answer, separated by tabs, for each answer; with --json, a
line with all outputs for each text.
"""

import json

from keras_seq2seq.cli.options import at_least_one
from keras_seq2seq.cli.options import positive
from keras_seq2seq.cli.options import utf8_text
from keras_seq2seq.export.client import Client


def add_options(parser) -> None:
    add = parser.add_argument
    add("url", metavar="URL")
    add("texts", nargs="+", type=utf8_text, metavar="TEXT")
    add(
        "--signature",
        default="serving_default",
        metavar="NAME",
        help="such as n_best or sample (default: serving_default)",
    )
    add(
        "--seed",
        type=int,
        metavar="N",
        help="seed of the first text; the next has N+1, ..",
    )
    add(
        "--prefix",
        type=utf8_text,
        metavar="TEXT",
        help="beginning of each answer",
    )
    add("--timeout", type=positive, default=10.0, metavar="SECONDS")
    add("--batch-size", type=at_least_one, default=64, metavar="N")
    add(
        "--max-answer-bytes",
        type=at_least_one,
        default=2**26,
        metavar="N",
        help="maximum size of an answer, in bytes (default: 67108864)",
    )
    add("--json", action="store_true")


def run(options) -> None:
    client = Client(
        options.url,
        timeout=options.timeout,
        batch_size=options.batch_size,
        max_answer_bytes=options.max_answer_bytes,
    )
    count = len(options.texts)
    inputs = {"text": options.texts}
    if options.seed is not None:
        inputs["seed"] = [options.seed + place for place in range(count)]
    if options.prefix is not None:
        inputs["prefix"] = [options.prefix] * count
    rows = client.rows(inputs, options.signature)
    for text, row in zip(options.texts, rows):
        print("\n".join(_lines(text, row, options.json)))


def _lines(text, row, as_json):
    if not as_json and row.keys() >= {"text", "score"}:
        yield f"{text}\t{row['score']:.4f}\t{row['text']}"
    elif as_json or not row.keys() >= {"texts", "scores", "lengths"}:
        yield json.dumps({"of": text, **{n: _plain(x) for n, x in row.items()}})
    else:
        for answer, score, length in zip(
            row["texts"], row["scores"], row["lengths"]
        ):
            if length:
                yield f"{text}\t{score:.4f}\t{answer}"


def _plain(value):
    return value.tolist() if hasattr(value, "tolist") else value
