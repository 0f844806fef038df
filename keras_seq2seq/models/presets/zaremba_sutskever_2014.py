from keras_seq2seq import layers
from keras_seq2seq.models.presets.recurrent_parts import dropped_stack_of
from keras_seq2seq.models.presets.recurrent_parts import readout_of

SMALL = {"units": 256, "embedding_dim": 64, "dropout": 0.1}


def zaremba_sutskever_2014(
    *,
    units=400,
    embedding_dim=400,
    num_layers=2,
    cell="lstm",
    readout="direct",
    tie_weights="none",
    dropout=0.2,
):
    """One LSTM for source and target, with a separator between them.

    Source, separator and target are one sequence, `x_1 .. x_n [separator]
    y_1 .. y_m`, which one network reads; only the target is predicted. The
    separator is the start token of the target. Dropout is ours.

    Args:
        units: Integer. Width of the LSTMs.
        embedding_dim: Integer. Width of the embeddings.
        num_layers: Integer. LSTM layers.
        cell: A name or a Keras cell, which brings its own dropout.
        readout: As for `Seq2Seq`.
        tie_weights: As for `Seq2Seq`.
        dropout: Float in `[0, 1)`. On embeddings, between the layers and on
            the output.

    Returns:
        Dict of arguments of `Seq2Seq`.

    References:
        - [Zaremba and Sutskever, 2014](https://arxiv.org/abs/1410.4615),
          Learning to Execute
    """
    return {
        "encoder": layers.IdentityEncoder(),
        "decoder": layers.RecurrentPrefixDecoder(
            dropped_stack_of(cell, units, num_layers, dropout), dropout=dropout
        ),
        "readout": readout_of(readout, units, dropout),
        "embedding_dim": embedding_dim,
        "tie_weights": tie_weights,
    }
