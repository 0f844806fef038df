"""Attention scores of encoders, by layer."""


def run(encoder, inputs, return_attention_scores=False, **kwargs):
    """Call an encoder; return memory, states and a dict of attention scores.

    The dict is empty if no scores are requested or the encoder has none.
    """
    if return_attention_scores and encoder.has_self_attention:
        return encoder(inputs, return_attention_scores=True, **kwargs)
    return *encoder(inputs, **kwargs), {}


def merge(parts):
    """Merge the attention scores of several encoders into one dict.

    If more than one has scores, layer names are prefixed by a number.
    """
    parts = list(parts)
    if sum(map(bool, parts)) < 2:
        return next(filter(None, parts), {})
    return {
        f"{number}/{layer}": scores
        for number, layers in enumerate(parts)
        for layer, scores in layers.items()
    }
