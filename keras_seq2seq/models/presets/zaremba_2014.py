from keras_seq2seq import layers
from keras_seq2seq.models.presets.recurrent_parts import dropped_stack_of
from keras_seq2seq.models.presets.recurrent_parts import readout_of

SMALL = {"units": 256, "embedding_dim": 64, "num_layers": 1, "dropout": 0.2}


def zaremba_2014(
    *,
    units=650,
    embedding_dim=650,
    num_layers=2,
    cell="lstm",
    readout="direct",
    dropout=0.5,
):
    """LSTM language model, the medium one.

    Args:
        units: Integer. Width of the LSTMs.
        embedding_dim: Integer. Width of the embeddings.
        num_layers: Integer. LSTM layers.
        cell: A name or a Keras cell, which brings its own dropout.
        readout: As for `LanguageModel`.
        dropout: Float in `[0, 1)`. On embeddings, between the layers and on
            the output.

    Returns:
        Dict of arguments of `LanguageModel`.

    References:
        - [Zaremba et al., 2014](https://arxiv.org/abs/1409.2329), section 4.1
    """
    return {
        "decoder": layers.RecurrentPrefixDecoder(
            dropped_stack_of(cell, units, num_layers, dropout), dropout=dropout
        ),
        "readout": readout_of(readout, units, dropout),
        "embedding_dim": embedding_dim,
    }
