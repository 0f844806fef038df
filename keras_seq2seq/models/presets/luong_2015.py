import keras

from keras_seq2seq import layers


def luong_2015(*, units=1000, embedding_dim=1000, dropout=0.2):
    """LSTM encoder and decoder, global attention with input feeding.

    One layer of the paper's four, with its "concat" score, which is additive.

    Args:
        units: Integer. Width of the LSTMs, the score and the attention vector.
        embedding_dim: Integer. Width of the embeddings.
        dropout: Float in `[0, 1)`. On embeddings, memory and attention vector.

    Returns:
        Dict of arguments of `Seq2Seq`.

    References:
        - [Luong et al., 2015](https://arxiv.org/abs/1508.04025), sections 3-4
    """
    cell = layers.LuongCell(keras.layers.LSTMCell(units), score="additive")
    return {
        "encoder": layers.RecurrentEncoder(
            keras.layers.LSTM(units), dropout=dropout
        ),
        "decoder": layers.RecurrentDecoder(
            cell, bridge="copy", dropout=dropout
        ),
        "readout": layers.DirectReadout(dropout),
        "embedding_dim": embedding_dim,
    }
