import keras

from keras_seq2seq import layers

SMALL = {"units": 192, "embedding_dim": 64, "dropout": 0.1}


def cho_2014(*, units=1000, embedding_dim=100, dropout=0.2):
    """GRU encoder and decoder, one summary of the source at every step.

    The first decoder state is a dense layer of the encoder's final state (in
    the paper, of the summary); the output sees state, summary and last token
    through a maxout layer half as wide as the GRU. Dropout is ours.

    Args:
        units: Integer. Width of the GRUs and of the summary.
        embedding_dim: Integer. Width of the embeddings.
        dropout: Float in `[0, 1)`. On embeddings, memory and deep output.

    Returns:
        Dict of arguments of `Seq2Seq`.

    References:
        - [Cho et al., 2014](https://arxiv.org/abs/1406.1078), appendix A
    """
    cell = layers.ChoCell(keras.layers.GRUCell(units))
    return {
        "encoder": layers.RecurrentEncoder(
            keras.layers.GRU(units), dropout=dropout
        ),
        "decoder": layers.RecurrentDecoder(
            cell, bridge="dense", dropout=dropout
        ),
        "readout": layers.DeepReadout(max(1, units // 2), dropout=dropout),
        "embedding_dim": embedding_dim,
    }
