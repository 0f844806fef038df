from keras_seq2seq import layers
from keras_seq2seq.models.presets.recurrent_parts import layer_of
from keras_seq2seq.models.presets.recurrent_parts import readout_of
from keras_seq2seq.models.presets.recurrent_parts import stack_of

SMALL = {"units": 128, "embedding_dim": 64, "num_layers": 3, "dropout": 0.1}


def gnmt_2016(
    *,
    units=1024,
    embedding_dim=1024,
    num_layers=8,
    cell="lstm",
    score="additive",
    residual=1,
    upper_context="old",
    bridge="zero",
    readout="direct",
    dropout=0.2,
):
    """Google's translation model: deep LSTMs with residuals.

    The first encoder layer reads in both directions, the others forwards, with
    residuals from the third on; the bottom layer of the decoder attends for
    all. The decoder's first states are zeros. tensorflow/nmt's `gnmt_v2` is
    `score="normed_bahdanau", residual=2, upper_context="new",
    bridge="layer"`.

    Args:
        units: Integer. Width of the LSTMs and of the score.
        embedding_dim: Integer. Width of the embeddings.
        num_layers: Integer, 2 at least. LSTM layers, on either side.
        cell: The cell on either side, a name or a Keras cell.
        score, upper_context: As for `GNMTCell`.
        residual: Integer. Index of the decoder's first layer that adds its
            input, 1 for all above the bottom, `num_layers` for none.
        bridge: As for `RecurrentDecoder`.
        readout: As for `Seq2Seq`.
        dropout: Float in `[0, 1)`. On embeddings, between the layers of the
            encoder, on memory and output.

    Returns:
        Dict of arguments of `Seq2Seq`.

    References:
        - [Wu et al., 2016](https://arxiv.org/abs/1609.08144), sections 3 and 8
    """
    encoders = [
        layers.RecurrentEncoder(layer_of(cell, units), bidirectional=i == 0)
        for i in range(num_layers)
    ]
    cell = layers.GNMTCell(
        stack_of(cell, units, num_layers),
        score,
        residual=residual,
        upper_context=upper_context,
    )
    return {
        "encoder": layers.StackedEncoder(encoders, residual=2, dropout=dropout),
        "decoder": layers.RecurrentDecoder(
            cell, bridge=bridge, dropout=dropout
        ),
        "readout": readout_of(readout, units, dropout),
        "embedding_dim": embedding_dim,
    }
