from keras_seq2seq.plots.checks import create_panel
from keras_seq2seq.plots.checks import unpack
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
    """Plot attention scores, also known as an alignment.

    Source tokens are the columns, target tokens the rows. The darker a cell,
    the higher the attention score of that source position for that target
    token. The size of the figure grows with the number of tokens. Notebooks
    display it. Needs matplotlib, but no display.

    Args:
        source_tokens: List of strings, such as `task.source_labels(text)`.
        target_tokens: List of strings, such as `hypothesis.tokens`. Or a
            `Hypothesis` with attention scores, from `task.generate` or
            `task.score`.
        attention_scores: Array or tensor of shape
            `(len(target_tokens), len(source_tokens))`. Defaults to `None`, the
            scores of the `Hypothesis`.
        ax: Matplotlib axes to draw on. They keep their position and size, and
            colors range from 0 to 1. Defaults to `None`: a new figure with a
            color bar from 0 to the largest score.
        path: Path of an image file to write, in a format that matplotlib
            supports (`.png`, `.svg`, `.pdf`). Defaults to `None`.
        title: String. Defaults to `None`.
        font: Name of a font family or path of a font file to try first.
            Defaults to `None`: DejaVu Sans, and any installed font for
            characters that it lacks.

    Returns:
        `matplotlib.figure.Figure`, or `ax`.

    Example:

    >>> figure = k2s.plots.attention(["o", "x"], ["AA", "K", "S"],
    ...     [[0.9, 0.1], [0.0, 1.0], [0.2, 0.8]], title="ox")
    >>> [label.get_text() for label in figure.axes[0].get_xticklabels()]
    ['o', 'x']
    """
    target_tokens, scores = unpack(target_tokens, attention_scores)
    panel = create_panel(source_tokens, target_tokens, scores)
    if not panel.scores.any():
        raise ValueError(
            "`attention_scores` must not be zero everywhere: there is nothing "
            "to draw. A model without attention, such as `sutskever_2014`, "
            "gives zeros, and so may monotonic attention."
        )
    settings = {"path": path, "title": title, "font": font}
    if ax is not None:
        return draw_on(ax, panel, **settings)
    return draw([[panel]], **settings)
