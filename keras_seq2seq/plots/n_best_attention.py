from keras_seq2seq.plots.figure import draw
from keras_seq2seq.plots.hypotheses import grid_of


def n_best_attention(
    source_tokens, hypotheses, *, layer=None, path=None, title=None, font=None
):
    """Pictures of the attention of several hypotheses.

    One panel a hypothesis, side by side, headed by its place and score, all in
    the colours of one scale. Where the attention scores are by layer and head,
    one row a hypothesis and one panel a head. See `attention`.

    Args:
        source_tokens: List of strings.
        hypotheses: List of `Hypothesis`, from `task.generate(texts, n_best=3,
            return_attention_scores=True)`, or `"by_layer"`.
        layer: Name of the layer whose attention to the memory is drawn, where
            the attention scores are by layer. Defaults to `None`, the last
            one.
        path: Path of a file to write. Defaults to `None`.
        title: String. Defaults to `None`.
        font: As for `attention`.

    Returns:
        `matplotlib.figure.Figure`.

    Example:

    >>> found = k2s.tasks.Hypothesis("K", -0.1, ["K"], np.array([[0.4, 0.6]]))
    >>> figure = k2s.plots.n_best_attention(["c", "k"], [found, found])
    >>> figure.axes[0].get_title()
    '1: -0.10'
    """
    grid = grid_of(
        {
            place: (source_tokens, found)
            for place, found in enumerate(hypotheses)
        },
        lambda place, found: f"{place + 1}: {found.score:.2f}",
        layer,
    )
    return draw(grid, path=path, title=title, font=font)
