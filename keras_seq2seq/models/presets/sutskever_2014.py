from keras_seq2seq import layers
from keras_seq2seq.models.presets.recurrent_parts import readout_of
from keras_seq2seq.models.presets.recurrent_parts import stack_of

SMALL = {"units": 192, "embedding_dim": 64, "num_layers": 2, "dropout": 0.1}


def sutskever_2014(
    *,
    units=1000,
    embedding_dim=1000,
    num_layers=4,
    reverse=True,
    cell="lstm",
    bridge="copy",
    readout="direct",
    dropout=0.2,
):
    """Deep LSTM to deep LSTM, nothing between but the final states.

    Dropout is ours.

    Args:
        units: Integer. Width of the LSTMs.
        embedding_dim: Integer. Width of the embeddings.
        num_layers: Integer. LSTM layers, on either side.
        reverse: Boolean. Whether the source is read backwards.
        cell: The cell on either side, a name or a Keras cell.
        bridge: As for `RecurrentDecoder`.
        readout: As for `Seq2Seq`.
        dropout: Float in `[0, 1)`. On embeddings and output.

    Returns:
        Dict of arguments of `Seq2Seq`.

    References:
        - [Sutskever et al., 2014](https://arxiv.org/abs/1409.3215), section 3
    """
    return {
        "encoder": layers.RecurrentEncoder(
            stack_of(cell, units, num_layers),
            reverse=reverse,
            dropout=dropout,
        ),
        "decoder": layers.RecurrentDecoder(
            layers.SutskeverCell(stack_of(cell, units, num_layers)),
            bridge=bridge,
            dropout=dropout,
        ),
        "readout": readout_of(readout, units, dropout),
        "embedding_dim": embedding_dim,
    }
