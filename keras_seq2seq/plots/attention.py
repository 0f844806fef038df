from keras_seq2seq.plots.checks import check_scores
from keras_seq2seq.plots.figure import draw


def attention(
    source_tokens, target_tokens, attention_scores, *, path=None, title=None
):
    """Picture of attention scores, also known as an alignment.

    Source tokens along the top, target tokens downwards, one cell a pair; the
    darker, the more of that source position went into that target token. The
    picture grows with the number of tokens. Needs matplotlib, but no display.

    Args:
        source_tokens: List of strings.
        target_tokens: List of strings, such as `hypothesis.tokens`.
        attention_scores: Array or tensor of shape
            `(len(target_tokens), len(source_tokens))`.
        path: Path of a file to write, of a kind that matplotlib knows by its
            ending (`.png`, `.svg`, `.pdf`). Defaults to `None`.
        title: String. Defaults to `None`.

    Returns:
        `matplotlib.figure.Figure`.

    Example:

    >>> figure = k2s.plots.attention(["o", "x"], ["AA", "K", "S"],
    ...     [[0.9, 0.1], [0.0, 1.0], [0.2, 0.8]], title="ox")
    >>> [label.get_text() for label in figure.axes[0].get_xticklabels()]
    ['o', 'x']
    """
    scores = check_scores(source_tokens, target_tokens, attention_scores)
    if not scores.any():
        raise ValueError(
            "`attention_scores` must not be zero everywhere: there is nothing "
            "to draw. A model without attention, such as `sutskever_2014`, "
            "gives zeros, and monotonic attention may look nowhere."
        )
    panels = [(target_tokens, scores, None)]
    return draw(source_tokens, [panels], path=path, title=title)
