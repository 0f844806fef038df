from keras_seq2seq.plots.figure import draw
from keras_seq2seq.plots.hypotheses import create_grid


def compare(
    source_tokens, hypotheses, *, layer=None, path=None, title=None, font=None
):
    """Plot the attention scores of several models side by side.

    There is one panel for each model, with its name as heading, all on one
    color scale. With attention scores by layer and head, there is one row for
    each model and one panel for each head. See `attention`.

    Args:
        source_tokens: List of strings, or, for models with different
            tokenizers, a dict of name -> list of strings.
        hypotheses: Dict of name -> `Hypothesis` of each model, such as
            `task.generate([text], return_attention_scores=True)[0][0]`, or for
            a given target
            `task.score([pair], return_attention_scores=True)[0]`.
        layer, path, title, font: As for `n_best_attention`.

    Returns:
        `matplotlib.figure.Figure`.

    Example:

    >>> sharp = k2s.tasks.Hypothesis("K", -0.1, ["K"], np.array([[0.1, 0.9]]))
    >>> even = k2s.tasks.Hypothesis("K", -0.7, ["K"], np.array([[0.5, 0.5]]))
    >>> figure = k2s.plots.compare(["c", "k"], {"new": sharp, "old": even})
    >>> [axes.get_title() for axes in figure.axes[:2]]
    ['new', 'old']
    """
    if not isinstance(hypotheses, dict):
        raise TypeError(
            "`hypotheses` must be a dict of name -> `Hypothesis`. Received: "
            f"hypotheses of type `{type(hypotheses).__name__}`. For several "
            "hypotheses of one model use `plots.n_best_attention`."
        )
    for name, hypothesis in hypotheses.items():
        _check(name, hypothesis)
    sources = source_tokens
    if not isinstance(sources, dict):
        sources = dict.fromkeys(hypotheses, source_tokens)
    elif sources.keys() != hypotheses.keys():
        raise ValueError(
            "`source_tokens` and `hypotheses` must have the same names. "
            f"Received: {[*sources]} and {[*hypotheses]}"
        )
    grid = create_grid(
        {name: (sources[name], x) for name, x in hypotheses.items()},
        lambda name, _: name,
        layer,
    )
    return draw(grid, path=path, title=title, font=font)


def _check(name, hypothesis):
    """Raise unless a hypothesis has tokens to draw."""
    tokens = getattr(hypothesis, "tokens", None)
    if tokens is None:
        raise TypeError(
            "`hypotheses` must hold one `Hypothesis` per model. Received: "
            f"hypotheses[{name!r}] of type `{type(hypothesis).__name__}`. "
            "`generate` returns a list for each text: pass one of its entries."
        )
    if not tokens:
        raise ValueError(
            "An empty hypothesis has no attention to draw. Received: "
            f"hypotheses[{name!r}] without tokens. Leave it out."
        )
