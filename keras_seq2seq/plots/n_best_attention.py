from keras_seq2seq.plots.checks import check_heads
from keras_seq2seq.plots.checks import check_scores
from keras_seq2seq.plots.figure import draw
from keras_seq2seq.utils.checks import check_choice


def n_best_attention(
    source_tokens, hypotheses, *, layer=None, path=None, title=None
):
    """Pictures of the attention of several hypotheses.

    One panel a hypothesis, side by side, headed by its place and score, all in
    the colours of one scale. Where the attention scores are by layer and head,
    one row a hypothesis and one panel a head. See `attention`.

    Args:
        source_tokens: List of strings.
        hypotheses: List of `Hypothesis`, from `task.generate(texts, n_best=3,
            return_attention_scores=True)`, or `"by_layer"`.
        layer: Name of the layer to draw, where the attention scores are by
            layer. Defaults to `None`, the last one.
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
    rows = []
    for place, found in enumerate(hypotheses):
        if found.attention_scores is None:
            raise ValueError(
                "`hypotheses` must hold attention scores. Received: "
                f"hypotheses[{place}] without. Ask for them with "
                "`task.generate(..., return_attention_scores=True)`."
            )
        heading = f"{place + 1}: {found.score:.2f}"
        rows.append(_panels(source_tokens, found, heading, layer))
    if all(len(row) == 1 for row in rows):
        rows = [[panel for row in rows for panel in row]]
    return draw(source_tokens, rows, path=path, title=title)


def _panels(source_tokens, found, heading, layer):
    """The panels of a hypothesis: one, or one a head."""
    scores = found.attention_scores
    if not isinstance(scores, dict):
        if layer is not None:
            raise ValueError(
                "`layer` is for attention scores by layer. Received: "
                f"layer={layer!r}, with a mean. Ask for them with "
                "`task.generate(..., return_attention_scores='by_layer')`."
            )
        scores = check_scores(source_tokens, found.tokens, scores)
        return [(found.tokens, scores, heading)]
    layer = [*scores][-1] if layer is None else layer
    check_choice(layer, "layer", scores)
    heads = check_heads(source_tokens, found.tokens, scores[layer])
    return [
        (found.tokens, head, f"{heading}, head {number}")
        for number, head in enumerate(heads, 1)
    ]
