from keras_seq2seq.plots.checks import given
from keras_seq2seq.plots.checks import panels_of_heads
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
    """Pictures of the attention of each head, of one layer or of all.

    Heads are side by side, layers one below the other, all in the colours of
    one scale. Self-attention of the encoder is of source tokens to source
    tokens; that of the decoder of each output token to what was there before
    it. See `attention`.

    Args:
        source_tokens: List of strings.
        target_tokens: List of strings, such as `hypothesis.tokens`, or a
            `Hypothesis`, which holds its attention scores too.
        attention_scores: As `return_attention_scores="by_layer"` gives it: a
            dict of kind (`"encoder"`, `"decoder"`, `"memory"`) -> layer ->
            array or tensor of shape `(num_heads, rows, columns)`; or one of
            its entries, or one of theirs. Rows and columns are
            `len(target_tokens)` and `len(source_tokens)` for `"memory"`, and
            for self-attention twice the same. Defaults to `None`, those of the
            `Hypothesis`.
        kind: String, which kind to draw, or which the scores are of. Defaults
            to `None`: all that there are, or `"memory"`.
        path: Path of a file to write. Defaults to `None`.
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
    target_tokens, scores = given(target_tokens, attention_scores)
    grid = [
        panels_of_heads(source_tokens, target_tokens, heads, heading, one_kind)
        for one_kind, heading, heads in _layers(scores, kind)
    ]
    return draw(grid, path=path, title=title, font=font)


def _layers(scores, kind):
    """Kind, heading and scores of each layer."""
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
