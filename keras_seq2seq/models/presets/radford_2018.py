from keras_seq2seq import layers

LEARNING_RATE = 1e-3  # as transformer_2017
SMALL = {
    "hidden_dim": 128,
    "num_layers": 3,
    "num_heads": 4,
    "intermediate_dim": 512,
    "max_length": 64,
}


def radford_2018(
    *,
    hidden_dim=768,
    num_layers=12,
    num_heads=12,
    intermediate_dim=3072,
    position="learned",
    max_length=512,
    dropout=0.1,
):
    """Transformer language model: a decoder alone, of the first GPT.

    GELU, post-normalisation, tied weights.

    Args:
        hidden_dim: Integer. Width of embeddings and layers.
        num_layers: Integer. Number of blocks.
        num_heads: Integer, a divisor of `hidden_dim`.
        intermediate_dim: Integer. Width of the feed-forward layers.
        position: Name, config or instance of a `Position`, or `None`.
        max_length: Integer. Longest sequence in tokens, start token and
            beginning counted, for `position="learned"`.
        dropout: Float in `[0, 1)`. Everywhere.

    Returns:
        Dict of arguments of `LanguageModel`.

    References:
        - [Radford et al., 2018](https://cdn.openai.com/research-covers/language-unsupervised/language_understanding_paper.pdf),
          section 4.1
    """
    block = layers.TransformerBlock(
        num_heads, intermediate_dim, activation="gelu", dropout=dropout
    )
    if position == "learned":
        position = layers.LearnedPosition(max_length)
    return {
        "decoder": layers.PrefixDecoder(
            block,
            num_layers,
            position=position,
            dropout=dropout,
        ),
        "embedding_dim": hidden_dim,
        "tie_weights": True,
    }
