import keras

from keras_seq2seq import layers
from keras_seq2seq.models.presets.stacks import stack
from keras_seq2seq.utils.checks import check_choice

SMALL = {"units": 128, "embedding_dim": 64, "num_layers": 1, "dropout": 0.1}
SCORES = {"dot": "dot_product", "general": "bilinear", "concat": "concat"}


def luong_2015(
    *,
    units=1000,
    embedding_dim=1000,
    num_layers=4,
    score="general",
    input_feeding=True,
    dropout=0.2,
):
    """LSTM encoder and decoder, global attention after the update.

    Args:
        units: Integer. Width of the LSTMs, the score and the attention vector.
        embedding_dim: Integer. Width of the embeddings.
        num_layers: Integer. LSTM layers, on either side.
        score: `"dot"`, `"general"` or `"concat"`, as the paper names them, or
            an `AttentionScore`.
        input_feeding: Boolean. Whether the decoder sees its last attention
            vector.
        dropout: Float in `[0, 1)`. On embeddings, memory and attention vector.

    Returns:
        Dict of arguments of `Seq2Seq`.

    References:
        - [Luong et al., 2015](https://arxiv.org/abs/1508.04025), sections 3-4
    """
    if not isinstance(score, layers.AttentionScore):
        score = SCORES[check_choice(score, "score", SCORES)]
    cell = layers.LuongCell(
        stack(keras.layers.LSTMCell, units, num_layers),
        score=score,
        input_feeding=input_feeding,
    )
    return {
        "encoder": layers.RecurrentEncoder(
            stack(keras.layers.LSTMCell, units, num_layers), dropout=dropout
        ),
        "decoder": layers.RecurrentDecoder(
            cell, bridge="copy", dropout=dropout
        ),
        "readout": layers.DirectReadout(dropout),
        "embedding_dim": embedding_dim,
    }
