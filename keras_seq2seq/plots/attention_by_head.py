from keras_seq2seq.plots.checks import create_head_panels
from keras_seq2seq.plots.checks import unpack
from keras_seq2seq.plots.figure import draw
from keras_seq2seq.plots.panel import KINDS
from keras_seq2seq.utils.checks import check_choice


def attention_by_head(
    source_tokens,
    target_tokens,
    attention_scores=None,
    *,
    kind=None,
    path=None,
    title=None,
    font=None,
):
    """Plot the attention scores of each head, for one or all layers.

    There is one row for each layer and one column for each head, all on one
    color scale. Encoder self-attention is from source tokens to source tokens.
    Decoder self-attention is from each output token to the tokens before it.
    See `attention`.

    Args:
        source_tokens: List of strings.
        target_tokens: List of strings, such as `hypothesis.tokens`, or a
            `Hypothesis` with attention scores.
        attention_scores: The scores that `return_attention_scores="by_layer"`
            returns: a dict of kind (`"encoder"`, `"decoder"`, `"memory"`) ->
            layer -> array or tensor of shape `(num_heads, rows, columns)`. Or
            the dict of one kind, or the array of one layer. Rows and columns
            are `len(target_tokens)` and `len(source_tokens)` for `"memory"`;
            for self-attention both are the same. Defaults to `None`, the scores
            of the `Hypothesis`.
        kind: String. The kind to draw, or the kind of the unpack scores.
            Defaults to `None`: all kinds of a dict of kinds, otherwise
            `"memory"`.
        path: Path of an image file to write. Defaults to `None`.
        title: String. Defaults to `None`.
        font: As for `attention`.

    Returns:
        `matplotlib.figure.Figure`.

    Example:

    >>> scores = np.array([[[0.9, 0.1]], [[0.5, 0.5]]])
    >>> figure = k2s.plots.attention_by_head(["o", "x"], ["AA"], scores)
    >>> [axes.get_title() for axes in figure.axes[:2]]
    ['head 1', 'head 2']
    """
    target_tokens, scores = unpack(target_tokens, attention_scores)
    grid = [
        create_head_panels(
            source_tokens, target_tokens, heads, heading, one_kind
        )
        for one_kind, heading, heads in _layers(scores, kind)
    ]
    return draw(grid, path=path, title=title, font=font)


def _layers(scores, kind):
    """Yield kind, heading and scores of each layer."""
    if kind is not None:
        check_choice(kind, "kind", KINDS)
    if not isinstance(scores, dict):
        yield kind or "memory", "", scores
        return
    by_kind = all(isinstance(layers, dict) for layers in scores.values())
    if not by_kind:
        scores = {kind or "memory": scores}
    elif kind is not None:
        check_choice(kind, "kind", scores)
        scores = {kind: scores[kind]}
    for one_kind, layers in scores.items():
        prefix = f"{one_kind}, " if len(scores) > 1 else ""
        for layer, heads in layers.items():
            yield one_kind, prefix + layer, heads
