import keras

from keras_seq2seq import layers

SMALL = {"units": 128, "embedding_dim": 64, "dropout": 0.1}


def bahdanau_2015(*, units=1000, embedding_dim=620, dropout=0.2):
    """RNNsearch: bidirectional GRU, additive attention, deep output.

    The deep output sees the new state, as in eq. 4. Dropout is ours.

    Args:
        units: Integer. Width of the GRUs, per direction, and of the score.
        embedding_dim: Integer. Width of the embeddings.
        dropout: Float in `[0, 1)`. On embeddings, memory and deep output.

    Returns:
        Dict of arguments of `Seq2Seq`.

    References:
        - [Bahdanau et al., 2015](https://arxiv.org/abs/1409.0473), A.2, B.1
    """
    cell = layers.BahdanauCell(keras.layers.GRUCell(units), score="additive")
    return {
        "encoder": layers.RecurrentEncoder(
            keras.layers.GRU(units), bidirectional=True, dropout=dropout
        ),
        "decoder": layers.RecurrentDecoder(
            cell, bridge="backward", dropout=dropout
        ),
        "readout": layers.DeepReadout(max(1, units // 2), dropout=dropout),
        "embedding_dim": embedding_dim,
    }
