from keras_seq2seq.plots.checks import checked_panel
from keras_seq2seq.plots.checks import given
from keras_seq2seq.plots.figure import draw
from keras_seq2seq.plots.figure import draw_on


def attention(
    source_tokens,
    target_tokens,
    attention_scores=None,
    *,
    ax=None,
    path=None,
    title=None,
    font=None,
):
    """Picture of attention scores, also known as an alignment.

    Source tokens along the top, target tokens downwards, one cell a pair; the
    darker, the more of that source position went into that target token. The
    picture grows with the number of tokens. A notebook shows it. Needs
    matplotlib, but no display.

    Args:
        source_tokens: List of strings, such as `task.source_labels(text)`.
        target_tokens: List of strings, such as `hypothesis.tokens`; or a
            `Hypothesis`, of `task.generate` or `task.score`, which holds its
            attention scores too.
        attention_scores: Array or tensor of shape
            `(len(target_tokens), len(source_tokens))`. Defaults to `None`,
            those of the `Hypothesis`.
        ax: Axes of matplotlib to draw on, which keep their place and size;
            the colours go from 0 to 1. Defaults to `None`: a figure of its
            own, with a bar of the colours, from 0 to the largest score.
        path: Path of a file to write, of a kind that matplotlib knows by its
            ending (`.png`, `.svg`, `.pdf`). Defaults to `None`.
        title: String. Defaults to `None`.
        font: Name of a font family, or path of a font file, to be tried first.
            Defaults to `None`: DejaVu Sans, and for what it lacks any
            installed font.

    Returns:
        `matplotlib.figure.Figure`, or `ax`.

    Example:

    >>> figure = k2s.plots.attention(["o", "x"], ["AA", "K", "S"],
    ...     [[0.9, 0.1], [0.0, 1.0], [0.2, 0.8]], title="ox")
    >>> [label.get_text() for label in figure.axes[0].get_xticklabels()]
    ['o', 'x']
    """
    target_tokens, scores = given(target_tokens, attention_scores)
    panel = checked_panel(source_tokens, target_tokens, scores)
    if not panel.scores.any():
        raise ValueError(
            "`attention_scores` must not be zero everywhere: there is nothing "
            "to draw. A model without attention, such as `sutskever_2014`, "
            "gives zeros, and monotonic attention may look nowhere."
        )
    settings = {"path": path, "title": title, "font": font}
    if ax is not None:
        return draw_on(ax, panel, **settings)
    return draw([[panel]], **settings)
