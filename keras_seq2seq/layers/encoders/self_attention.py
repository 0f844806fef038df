"""Self-attention of an encoder, layer by layer."""


def run(encoder, inputs, return_attention_scores=False, **kwargs):
    """Memory, states, and a dict of layer -> self-attention.

    The dict is empty where none is wanted, or the encoder has none.
    """
    if return_attention_scores and encoder.has_self_attention:
        return encoder(inputs, return_attention_scores=True, **kwargs)
    return *encoder(inputs, **kwargs), {}


def merge(parts):
    """One dict of layers of those of several parts.

    The names are numbered where more than one part has layers.
    """
    parts = list(parts)
    if sum(map(bool, parts)) < 2:
        return next(filter(None, parts), {})
    return {
        f"{number}/{layer}": scores
        for number, layers in enumerate(parts)
        for layer, scores in layers.items()
    }
