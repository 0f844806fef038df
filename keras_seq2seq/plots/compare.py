from keras_seq2seq.plots.figure import draw
from keras_seq2seq.plots.hypotheses import grid_of


def compare(
    source_tokens, hypotheses, *, layer=None, path=None, title=None, font=None
):
    """Pictures of the attention of several models, each with its answer.

    One panel a model, side by side, headed by its name, all in the colours of
    one scale. Where the attention scores are by layer and head, one row a
    model and one panel a head. See `attention`.

    Args:
        source_tokens: List of strings, or, where the models have different
            tokenizers, a dict of name -> list of strings.
        hypotheses: Dict of name -> `Hypothesis`: what each model answers, such
            as `task.generate([text], return_attention_scores=True)[0][0]`, or
            how it reads one given answer, `task.score([pair],
            return_attention_scores=True)[0]`.
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
            "answers of one model use `plots.n_best_attention`."
        )
    for name, found in hypotheses.items():
        _check(name, found)
    sources = source_tokens
    if not isinstance(sources, dict):
        sources = dict.fromkeys(hypotheses, source_tokens)
    elif sources.keys() != hypotheses.keys():
        raise ValueError(
            "`source_tokens` and `hypotheses` must have the same names. "
            f"Received: {[*sources]} and {[*hypotheses]}"
        )
    grid = grid_of(
        {name: (sources[name], found) for name, found in hypotheses.items()},
        lambda name, _: name,
        layer,
    )
    return draw(grid, path=path, title=title, font=font)


def _check(name, found):
    """Raise unless a model's answer can be drawn."""
    tokens = getattr(found, "tokens", None)
    if tokens is None:
        raise TypeError(
            "`hypotheses` must hold one `Hypothesis` a model. Received: "
            f"hypotheses[{name!r}] of type `{type(found).__name__}`. "
            "`generate` gives a list for each text: take one of it."
        )
    if not tokens:
        raise ValueError(
            "An empty answer has no attention to draw. Received: "
            f"hypotheses[{name!r}] without tokens. Leave it out."
        )
