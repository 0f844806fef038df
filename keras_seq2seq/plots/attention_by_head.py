import keras
import numpy as np

from keras_seq2seq.plots.checks import check_scores
from keras_seq2seq.plots.figure import draw


def attention_by_head(
    source_tokens, target_tokens, attention_scores, *, path=None, title=None
):
    """Pictures of the attention of each head of a layer, side by side.

    All in the colours of one scale. See `attention`.

    Args:
        source_tokens: List of strings.
        target_tokens: List of strings, such as `hypothesis.tokens`.
        attention_scores: Array or tensor of shape
            `(num_heads, len(target_tokens), len(source_tokens))`: one entry
            of what `return_attention_scores="by_layer"` gives.
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
    if isinstance(attention_scores, dict):
        raise TypeError(
            "`attention_scores` must be those of one layer. Received: "
            f"attention_scores with the layers {sorted(attention_scores)}. "
            "Choose one."
        )
    heads = np.asarray(keras.ops.convert_to_numpy(attention_scores))
    if heads.ndim != 3 or not len(heads):
        raise ValueError(
            "`attention_scores` must be of shape (heads, target tokens, "
            "source tokens). Received: attention_scores of shape "
            f"{heads.shape}. Use `plots.attention` for a mean over heads."
        )
    panels = [
        (
            target_tokens,
            check_scores(source_tokens, target_tokens, scores),
            f"head {number}",
        )
        for number, scores in enumerate(heads, 1)
    ]
    return draw(source_tokens, panels, path=path, title=title)
