from keras_seq2seq import layers
from keras_seq2seq.models.presets import transformer_2017

LEARNING_RATE = 1e-3  # as transformer_2017
SMALL = transformer_2017.SMALL


def liu_2018(
    *,
    hidden_dim=512,
    num_layers=6,
    num_heads=8,
    intermediate_dim=2048,
    position="sinusoidal",
    normalize_first=False,
    dropout=0.1,
    tie_weights="target",
):
    """One Transformer for source and target: a decoder without an encoder.

    As `transformer_2017`, its base model, but with source, start token and
    target as one sequence, of which only the target is predicted.

    Args:
        hidden_dim: Integer. Width of embeddings and layers.
        num_layers: Integer. Number of blocks.
        num_heads: Integer, a divisor of `hidden_dim`.
        intermediate_dim: Integer. Width of the feed-forward layers.
        position: Name, config or instance of a `Position`, or `None`.
        normalize_first: Boolean. Pre-normalisation, or the paper's
            post-normalisation, which wants the learning rate to warm up.
        dropout: Float in `[0, 1)`. Everywhere.
        tie_weights: As for `Seq2Seq`; the paper has one vocabulary, `"all"`.

    Returns:
        Dict of arguments of `Seq2Seq`.

    References:
        - [Liu et al., 2018](https://arxiv.org/abs/1801.10198), section 4.2.3
    """
    block = layers.TransformerBlock(
        num_heads,
        intermediate_dim,
        normalize_first=normalize_first,
        dropout=dropout,
    )
    return {
        "encoder": layers.IdentityEncoder(),
        "decoder": layers.PrefixDecoder(
            block,
            num_layers,
            position=position,
            scale_inputs=True,
            dropout=dropout,
        ),
        "embedding_dim": hidden_dim,
        "tie_weights": tie_weights,
    }
