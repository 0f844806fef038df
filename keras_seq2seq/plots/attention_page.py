"""A page of attention for a browser."""

import html
import json
import pathlib
import string

import numpy as np

from keras_seq2seq.plots.checks import check_tokens
from keras_seq2seq.plots.checks import create_panel
from keras_seq2seq.plots.labels import to_label
from keras_seq2seq.tasks import Hypothesis
from keras_seq2seq.utils.files import check_file_target
from keras_seq2seq.utils.files import new_file

TEMPLATE = pathlib.Path(__file__).with_suffix(".html")


def attention_page(source_tokens, hypotheses, *, path=None, title="Attention"):
    """Write a page of HTML that shows the attention of many sentences.

    Point at a word of an output, and the words of the source that the model
    attended to are shaded; and the other way round. Each sentence has all its
    hypotheses to choose from, with their scores. The page works by keyboard, in
    light and dark, and from right to left. It is a single file that loads
    nothing from elsewhere. Needs no matplotlib.

    Args:
        source_tokens: List with a list of strings for each sentence, such as
            `[task.source_labels(text) for text in texts]`.
        hypotheses: List with a list of `Hypothesis` for each sentence, from
            `task.generate(texts, n_best=3, return_attention_scores=True)`, or
            with one `Hypothesis` for each, from `task.score`. `join_subwords`
            makes words of subwords.
        path: Path of the file to write, such as `"attention.html"`. Defaults to
            `None`.
        title: String. Defaults to `"Attention"`.

    Returns:
        String, the page.

    Example:

    >>> best = k2s.tasks.Hypothesis("K", -0.1, ["K"], np.array([[0.4, 0.6]]))
    >>> page = k2s.plots.attention_page([["c", "k"]], [[best]], title="ck")
    >>> page.startswith("<!doctype html>")
    True
    """
    if len(source_tokens) != len(hypotheses) or not len(hypotheses):
        raise ValueError(
            "`source_tokens` and `hypotheses` must have one entry for each "
            "sentence, and at least one. Received: "
            f"len(source_tokens)={len(source_tokens)}, "
            f"len(hypotheses)={len(hypotheses)}."
        )
    if path is not None:
        path = check_file_target(path)
    data = [
        _sentence(index, *pair)
        for index, pair in enumerate(zip(source_tokens, hypotheses))
    ]
    # No text can end the script, or begin a comment in it.
    text = json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
    template = string.Template(TEMPLATE.read_text(encoding="utf-8"))
    page = template.substitute(title=html.escape(str(title)), data=text)
    if path is not None:
        with new_file(path) as file:
            file.write(page)
    return page


def _sentence(index, tokens, found):
    name = f"hypotheses[{index}]"
    if isinstance(found, Hypothesis):
        found = [found]
    if not len(found):
        raise ValueError(
            f"`{name}` must hold at least one `Hypothesis`. Received: an empty "
            "list."
        )
    if len(tokens):
        check_tokens(f"source_tokens[{index}]", tokens)
    return {
        "text": " ".join(tokens),
        "source": [to_label(token) for token in tokens],
        "hypotheses": [_hypothesis(name, tokens, best) for best in found],
    }


def _hypothesis(name, tokens, best):
    scores = getattr(best, "attention_scores", None)
    if scores is None or isinstance(scores, dict):
        raise ValueError(
            f"`{name}` must hold a `Hypothesis` with one array of attention "
            f"scores. Received: type `{type(best).__name__}`, with scores of "
            f"type `{type(scores).__name__}`. Request them with "
            "`task.generate(..., return_attention_scores=True)`."
        )
    rows = np.zeros((len(best.tokens), len(tokens)))
    if rows.size:
        rows = create_panel(tokens, best.tokens, scores).scores
    return {
        "text": best.text,
        "score": f"{best.score:.2f}",
        "words": [to_label(token) for token in best.tokens],
        "scores": np.rint(1000 * rows).astype(int).tolist(),  # per mille
    }
