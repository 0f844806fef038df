import keras

from keras_seq2seq import layers
from keras_seq2seq.models.presets.stacks import stack

SMALL = {"units": 192, "embedding_dim": 64, "num_layers": 2, "dropout": 0.1}


def sutskever_2014(
    *,
    units=1000,
    embedding_dim=1000,
    num_layers=4,
    reverse=True,
    dropout=0.2,
):
    """Deep LSTM to deep LSTM, nothing between but the final states.

    Dropout is ours.

    Args:
        units: Integer. Width of the LSTMs.
        embedding_dim: Integer. Width of the embeddings.
        num_layers: Integer. LSTM layers, on either side.
        reverse: Boolean. Whether the source is read backwards.
        dropout: Float in `[0, 1)`. On embeddings and output.

    Returns:
        Dict of arguments of `Seq2Seq`.

    References:
        - [Sutskever et al., 2014](https://arxiv.org/abs/1409.3215), section 3
    """
    cell = layers.SutskeverCell(stack(keras.layers.LSTMCell, units, num_layers))
    return {
        "encoder": layers.RecurrentEncoder(
            stack(keras.layers.LSTMCell, units, num_layers),
            reverse=reverse,
            dropout=dropout,
        ),
        "decoder": layers.RecurrentDecoder(
            cell, bridge="copy", dropout=dropout
        ),
        "readout": layers.DirectReadout(dropout),
        "embedding_dim": embedding_dim,
    }
