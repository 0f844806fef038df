from keras_seq2seq.plots.figure import draw
from keras_seq2seq.plots.hypotheses import create_grid


def n_best_attention(
    source_tokens, hypotheses, *, layer=None, path=None, title=None, font=None
):
    """Plot the attention scores of several hypotheses side by side.

    There is one panel for each hypothesis, with its rank and score as heading,
    all on one color scale. With attention scores by layer and head, there is
    one row for each hypothesis and one panel for each head. See `attention`.

    Args:
        source_tokens: List of strings.
        hypotheses: List of `Hypothesis`, from `task.generate(texts, n_best=3,
            return_attention_scores=True)`, or `"by_layer"`.
        layer: Name of the layer whose attention to the memory is drawn, for
            attention scores by layer. Defaults to `None`, the last one.
        path: Path of an image file to write. Defaults to `None`.
        title: String. Defaults to `None`.
        font: As for `attention`.

    Returns:
        `matplotlib.figure.Figure`.

    Example:

    >>> best = k2s.tasks.Hypothesis("K", -0.1, ["K"], np.array([[0.4, 0.6]]))
    >>> figure = k2s.plots.n_best_attention(["c", "k"], [best, best])
    >>> figure.axes[0].get_title()
    '1: -0.10'
    """
    grid = create_grid(
        {index: (source_tokens, x) for index, x in enumerate(hypotheses)},
        lambda index, hypothesis: f"{index + 1}: {hypothesis.score:.2f}",
        layer,
    )
    return draw(grid, path=path, title=title, font=font)
