from keras_seq2seq import layers
from keras_seq2seq.utils import registry

LEARNING_RATE = 1e-3  # of Adam; recurrent models take more
SMALL = {
    "hidden_dim": 128,
    "num_layers": 3,
    "num_heads": 4,
    "intermediate_dim": 512,
    "normalize_first": True,  # trains without a warm-up
}


def transformer_2017(
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
    """The Transformer, its base model.

    Embeddings times the root of their width, and one table for target
    embedding and output layer; the paper shares it with the source too, over a
    common vocabulary: `tie_weights="all"`. Dropout on attention weights is
    ours.

    Args:
        hidden_dim: Integer. Width of embeddings and layers.
        num_layers: Integer. Blocks of the encoder, and of the decoder.
        num_heads: Integer, a divisor of `hidden_dim`.
        intermediate_dim: Integer. Width of the feed-forward layers.
        position: Name, config or instance of a `Position`, of which the
            encoder and the decoder have one each; `None` for none.
        normalize_first: Boolean. Pre-normalisation, or the paper's
            post-normalisation, which wants the learning rate to warm up.
        dropout: Float in `[0, 1)`. Everywhere.
        tie_weights: As for `Seq2Seq`.

    Returns:
        Dict of arguments of `Seq2Seq`.

    References:
        - [Vaswani et al., 2017](https://arxiv.org/abs/1706.03762), table 3,
          "base"
    """
    block = layers.TransformerBlock(
        num_heads,
        intermediate_dim,
        normalize_first=normalize_first,
        dropout=dropout,
    )
    settings = {
        "num_layers": num_layers,
        "position": registry.config_of(position),
        "scale_inputs": True,
        "dropout": dropout,
    }
    return {
        "encoder": layers.TransformerEncoder(block, **settings),
        "decoder": layers.TransformerDecoder(block, **settings),
        "embedding_dim": hidden_dim,
        "tie_weights": tie_weights,
    }
