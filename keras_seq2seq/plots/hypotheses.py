"""Panels of several hypotheses."""

from keras_seq2seq.plots.checks import create_head_panels
from keras_seq2seq.plots.checks import create_panel
from keras_seq2seq.utils.checks import check_choice


def create_grid(hypotheses, get_heading, layer=None):
    """Create a grid of `Panel`: one row, or with heads a row per hypothesis.

    Args:
        hypotheses: Dict of key -> source tokens and `Hypothesis`.
        get_heading: Function of a key and a `Hypothesis`.
        layer: Name of a layer, or `None` for the last one.
    """
    if not hypotheses:
        raise ValueError(
            "`hypotheses` must hold at least one. Received: len(hypotheses)=0"
        )
    rows = []
    for key, (source_tokens, hypothesis) in hypotheses.items():
        if hypothesis.attention_scores is None:
            raise ValueError(
                "`hypotheses` must hold attention scores. Received: "
                f"hypotheses[{key!r}] without. Request them with "
                "`task.generate(..., return_attention_scores=True)`."
            )
        heading = get_heading(key, hypothesis)
        rows.append(_create_panels(source_tokens, hypothesis, heading, layer))
    if all(len(row) == 1 for row in rows):
        rows = [[panel for row in rows for panel in row]]
    return rows


def _create_panels(source_tokens, hypothesis, heading, layer):
    """Create the panels of a hypothesis: one, or one for each head."""
    tokens, scores = hypothesis.tokens, hypothesis.attention_scores
    if not isinstance(scores, dict):
        if layer is not None:
            raise ValueError(
                "`layer` is for attention scores by layer. Received: "
                f"layer={layer!r}, with mean scores. Request them with "
                "`task.generate(..., return_attention_scores='by_layer')`."
            )
        return [create_panel(source_tokens, tokens, scores, heading)]
    layers = scores.get("memory", scores)
    layer = [*layers][-1] if layer is None else layer
    check_choice(layer, "layer", layers)
    return create_head_panels(source_tokens, tokens, layers[layer], heading)
