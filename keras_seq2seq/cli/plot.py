"""Plot the attention of a saved task while it answers texts.

    keras-seq2seq plot runs/mine "a source text" --out attention.png

Writes a picture of one text or, where FILE ends with .html, a page for a
browser with all texts.
"""

from keras_seq2seq import plots
from keras_seq2seq import tasks
from keras_seq2seq.cli.options import add_task
from keras_seq2seq.cli.options import at_least_one
from keras_seq2seq.cli.options import read_lines
from keras_seq2seq.cli.options import utf8_text
from keras_seq2seq.utils.files import check_file_target

PAGES = (".html", ".htm")


def add_options(parser) -> None:
    add_task(parser)
    add = parser.add_argument
    add("texts", nargs="*", type=utf8_text, metavar="TEXT")
    add("--file", metavar="FILE", help="file of texts, one per line")
    add("--out", default="attention.png", metavar="FILE")
    add("--n-best", type=at_least_one, default=1, metavar="N")
    add(
        "--join-subwords",
        action="store_true",
        help="join the subwords of a word",
    )
    add(
        "--font",
        metavar="FONT",
        help="font family or file of a picture (default: DejaVu Sans; "
        "installed fonts are used for missing characters)",
    )


def run(options) -> None:
    is_page = options.out.lower().endswith(PAGES)
    texts = options.texts
    if options.file is not None:
        texts = [*texts, *read_lines(options.file)]
    if not texts or (len(texts) > 1 and not is_page):
        raise ValueError(
            "A picture needs one text, and a page (--out FILE.html) at least "
            f"one. Received: {len(texts)} texts, and --out {options.out}."
        )
    check_file_target(options.out, "--out")
    task = tasks.load(options.task)
    found = task.generate(
        texts, n_best=options.n_best, return_attention_scores=True
    )
    rows = [
        _join(task, text, hypotheses, options.join_subwords)
        for text, hypotheses in zip(texts, found)
    ]
    if is_page:
        labels, hypotheses = zip(*rows)
        title = f"Attention: {len(texts):,} texts"
        plots.attention_page(labels, hypotheses, path=options.out, title=title)
    else:
        _draw(texts[0], *rows[0], options.out, font=options.font)
        print(f"{texts[0]}: {found[0][0].text}")
    print(options.out)


def draw(task, text: str, hypotheses: list, path: str, *, font=None) -> None:
    """Plot the attention of one or more hypotheses of a text."""
    _draw(text, task.source_labels(text), hypotheses, path, font=font)


def _join(task, text, hypotheses, join_subwords):
    """Labels of a text and its hypotheses, with words if asked for."""
    if not join_subwords:
        return task.source_labels(text), hypotheses
    joined = [plots.join_subwords(task, text, best) for best in hypotheses]
    return joined[0][0], [best for _, best in joined]


def _draw(text, labels, hypotheses, path, *, font):
    if not (labels and all(best.tokens for best in hypotheses)):
        raise ValueError(
            "A plot needs a text and answers of at least one token. "
            f"Received: {text!r}, answered {[h.text for h in hypotheses]}. "
            "Try another text, fewer answers, or more training."
        )
    settings = {"path": path, "font": font}
    if len(hypotheses) > 1:
        plots.n_best_attention(labels, hypotheses, title=text, **settings)
        return
    (best,) = hypotheses
    plots.attention(labels, best, title=f"{text}: {best.text}", **settings)
