from keras_seq2seq.plots.checks import check_scores
from keras_seq2seq.plots.figure import draw


def n_best_attention(source_tokens, hypotheses, *, path=None, title=None):
    """Pictures of the attention of several hypotheses, side by side.

    One panel a hypothesis, headed by its place and score, all in the colours
    of one scale. See `attention`.

    Args:
        source_tokens: List of strings.
        hypotheses: List of `Hypothesis`, from
            `task.generate(texts, n_best=3, return_attention_scores=True)`.
        path: Path of a file to write. Defaults to `None`.
        title: String. Defaults to `None`.

    Returns:
        `matplotlib.figure.Figure`.

    Example:

    >>> found = k2s.tasks.Hypothesis("K", -0.1, ["K"], np.array([[0.4, 0.6]]))
    >>> figure = k2s.plots.n_best_attention(["c", "k"], [found, found])
    >>> figure.axes[0].get_title()
    '1: -0.10'
    """
    if not hypotheses:
        raise ValueError(
            "`hypotheses` must hold at least one. Received: len(hypotheses)=0"
        )
    panels = []
    for place, found in enumerate(hypotheses, 1):
        if found.attention_scores is None:
            raise ValueError(
                "`hypotheses` must hold attention scores. Received: "
                f"hypotheses[{place - 1}] without. Ask for them with "
                "`task.generate(..., return_attention_scores=True)`."
            )
        scores = check_scores(
            source_tokens, found.tokens, found.attention_scores
        )
        panels.append((found.tokens, scores, f"{place}: {found.score:.2f}"))
    return draw(source_tokens, panels, path=path, title=title)
