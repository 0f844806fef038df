"""Plot the attention of a saved task while it answers a text."""

from keras_seq2seq import plots
from keras_seq2seq import tasks
from keras_seq2seq.cli.options import add_task
from keras_seq2seq.cli.options import at_least_one
from keras_seq2seq.cli.options import utf8_text


def add_options(parser) -> None:
    add_task(parser)
    add = parser.add_argument
    add("text", type=utf8_text, metavar="TEXT")
    add("--out", default="attention.png", metavar="FILE")
    add("--n-best", type=at_least_one, default=1, metavar="N")
    add(
        "--font",
        metavar="FONT",
        help="font family or file (default: DejaVu Sans; installed fonts are "
        "used for missing characters)",
    )


def run(options) -> None:
    task = tasks.load(options.task)
    (hypotheses,) = task.generate(
        [options.text], n_best=options.n_best, return_attention_scores=True
    )
    draw(task, options.text, hypotheses, options.out, font=options.font)
    print(f"{options.text}: {hypotheses[0].text}")
    print(options.out)


def draw(task, text: str, hypotheses: list, path: str, *, font=None) -> None:
    """Plot the attention of one or more hypotheses of a text."""
    tokens = task.source_labels(text)
    if not (tokens and all(best.tokens for best in hypotheses)):
        raise ValueError(
            "A plot needs a text and answers of at least one token. "
            f"Received: {text!r}, answered {[h.text for h in hypotheses]}. "
            "Try another text, fewer answers, or more training."
        )
    settings = {"path": path, "font": font}
    if len(hypotheses) > 1:
        plots.n_best_attention(tokens, hypotheses, title=text, **settings)
        return
    (best,) = hypotheses
    plots.attention(tokens, best, title=f"{text}: {best.text}", **settings)
