import keras

from keras_seq2seq import layers

SMALL = {"units": 256, "embedding_dim": 64, "num_layers": 1, "dropout": 0.2}


def zaremba_2014(*, units=650, embedding_dim=650, num_layers=2, dropout=0.5):
    """LSTM language model, the medium one.

    Args:
        units: Integer. Width of the LSTMs.
        embedding_dim: Integer. Width of the embeddings.
        num_layers: Integer. LSTM layers.
        dropout: Float in `[0, 1)`. On embeddings, between the layers and on
            the output.

    Returns:
        Dict of arguments of `LanguageModel`.

    References:
        - [Zaremba et al., 2014](https://arxiv.org/abs/1409.2329), section 4.1
    """
    cells = [
        keras.layers.LSTMCell(
            units, dropout=dropout if i else 0.0, name=f"lstm_{i}"
        )
        for i in range(num_layers)
    ]
    return {
        "decoder": layers.RecurrentPrefixDecoder(
            keras.layers.StackedRNNCells(cells), dropout=dropout
        ),
        "readout": layers.DirectReadout(dropout),
        "embedding_dim": embedding_dim,
    }
