import keras

from keras_seq2seq import layers
from keras_seq2seq.models.presets.stacks import stack

SMALL = {"units": 128, "embedding_dim": 64, "num_layers": 3, "dropout": 0.1}


def gnmt_2016(*, units=1024, embedding_dim=1024, num_layers=8, dropout=0.2):
    """Google's translation model: deep LSTMs with residuals.

    The first encoder layer reads in both directions, the others forwards, with
    residuals from the third on; the bottom layer of the decoder attends for
    all. The decoder's first states are zeros.

    Args:
        units: Integer. Width of the LSTMs and of the score.
        embedding_dim: Integer. Width of the embeddings.
        num_layers: Integer, 2 at least. LSTM layers, on either side.
        dropout: Float in `[0, 1)`. On embeddings, between the layers of the
            encoder, on memory and output.

    Returns:
        Dict of arguments of `Seq2Seq`.

    References:
        - [Wu et al., 2016](https://arxiv.org/abs/1609.08144), sections 3 and 8
    """
    encoders = [
        layers.RecurrentEncoder(keras.layers.LSTM(units), bidirectional=i == 0)
        for i in range(num_layers)
    ]
    cell = layers.GNMTCell(stack(keras.layers.LSTMCell, units, num_layers))
    return {
        "encoder": layers.StackedEncoder(encoders, residual=2, dropout=dropout),
        "decoder": layers.RecurrentDecoder(
            cell, bridge="zero", dropout=dropout
        ),
        "readout": layers.DirectReadout(dropout),
        "embedding_dim": embedding_dim,
    }
