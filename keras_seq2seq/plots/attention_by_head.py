from keras_seq2seq.plots.checks import check_heads
from keras_seq2seq.plots.figure import draw


def attention_by_head(
    source_tokens, target_tokens, attention_scores, *, path=None, title=None
):
    """Pictures of the attention of each head, of one layer or of all.

    Heads are side by side, layers one below the other, all in the colours of
    one scale. See `attention`.

    Args:
        source_tokens: List of strings.
        target_tokens: List of strings, such as `hypothesis.tokens`.
        attention_scores: Dict of layer -> array or tensor of shape
            `(num_heads, len(target_tokens), len(source_tokens))`, as
            `return_attention_scores="by_layer"` gives it, or one of its
            entries.
        path: Path of a file to write. Defaults to `None`.
        title: String. Defaults to `None`.

    Returns:
        `matplotlib.figure.Figure`.

    Example:

    >>> scores = np.array([[[0.9, 0.1]], [[0.5, 0.5]]])
    >>> figure = k2s.plots.attention_by_head(["o", "x"], ["AA"], scores)
    >>> [axes.get_title() for axes in figure.axes[:2]]
    ['head 1', 'head 2']
    """
    layers = attention_scores
    if not isinstance(layers, dict):
        layers = {None: attention_scores}
    grid = [
        [
            (target_tokens, scores, _heading(layer, number))
            for number, scores in enumerate(
                check_heads(source_tokens, target_tokens, heads), 1
            )
        ]
        for layer, heads in layers.items()
    ]
    return draw(source_tokens, grid, path=path, title=title)


def _heading(layer, number):
    head = f"head {number}"
    return head if layer is None else f"{layer}, {head}"
