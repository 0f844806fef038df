from keras_seq2seq import layers
from keras_seq2seq.models.presets.recurrent_parts import layer_of
from keras_seq2seq.models.presets.recurrent_parts import readout_of
from keras_seq2seq.models.presets.recurrent_parts import stack_of

SMALL = {"units": 128, "embedding_dim": 64, "dropout": 0.1}


def bahdanau_2015(
    *,
    units=1000,
    embedding_dim=620,
    num_layers=1,
    cell="gru",
    score="additive",
    context_in_output=True,
    bridge="backward",
    readout="deep",
    dropout=0.2,
):
    """RNNsearch: bidirectional GRU, additive attention, deep output.

    The deep output sees the new state, as in eq. 4. Dropout is ours. The
    paper's GRU resets before the product: `cell="gru_reset_before"`.

    Args:
        units: Integer. Width of the GRUs, per direction, and of the score.
        embedding_dim: Integer. Width of the embeddings.
        num_layers: Integer. Layers, on either side.
        cell: The cell on either side, a name or a Keras cell.
        score, context_in_output: As for `BahdanauCell`.
        bridge: As for `RecurrentDecoder`.
        readout: As for `Seq2Seq`.
        dropout: Float in `[0, 1)`. On embeddings, memory and deep output.

    Returns:
        Dict of arguments of `Seq2Seq`.

    References:
        - [Bahdanau et al., 2015](https://arxiv.org/abs/1409.0473), A.2, B.1
    """
    return {
        "encoder": layers.RecurrentEncoder(
            layer_of(cell, units, num_layers),
            bidirectional=True,
            dropout=dropout,
        ),
        "decoder": layers.RecurrentDecoder(
            layers.BahdanauCell(
                stack_of(cell, units, num_layers),
                score,
                context_in_output=context_in_output,
            ),
            bridge=bridge,
            dropout=dropout,
        ),
        "readout": readout_of(readout, max(1, units // 2), dropout),
        "embedding_dim": embedding_dim,
    }
