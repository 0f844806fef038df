"""The panels of several hypotheses."""

from keras_seq2seq.plots.checks import checked_panel
from keras_seq2seq.plots.checks import panels_of_heads
from keras_seq2seq.utils.checks import check_choice


def grid_of(hypotheses, heading_of, layer=None):
    """Grid of `Panel`: a row of all means, or a row of heads for each.

    Args:
        hypotheses: Dict of place or name -> source tokens and `Hypothesis`.
        heading_of: Function of such a place and a `Hypothesis`.
        layer: Name of a layer, or `None` for the last one.
    """
    if not hypotheses:
        raise ValueError(
            "`hypotheses` must hold at least one. Received: len(hypotheses)=0"
        )
    rows = []
    for place, (source_tokens, found) in hypotheses.items():
        if found.attention_scores is None:
            raise ValueError(
                "`hypotheses` must hold attention scores. Received: "
                f"hypotheses[{place!r}] without. Ask for them with "
                "`task.generate(..., return_attention_scores=True)`."
            )
        heading = heading_of(place, found)
        rows.append(_panels(source_tokens, found, heading, layer))
    if all(len(row) == 1 for row in rows):
        rows = [[panel for row in rows for panel in row]]
    return rows


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
        return [checked_panel(source_tokens, found.tokens, scores, heading)]
    layers = scores.get("memory", scores)
    layer = [*layers][-1] if layer is None else layer
    check_choice(layer, "layer", layers)
    return panels_of_heads(source_tokens, found.tokens, layers[layer], heading)
