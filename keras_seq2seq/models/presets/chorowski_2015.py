from keras_seq2seq import layers
from keras_seq2seq.models.presets.recurrent_parts import cell_of
from keras_seq2seq.models.presets.recurrent_parts import layer_of
from keras_seq2seq.models.presets.recurrent_parts import readout_of

SMALL = {
    "units": 96,
    "embedding_dim": 64,
    "num_layers": 1,
    "filters": 8,
    "kernel_size": 5,
    "dropout": 0.1,
}


def chorowski_2015(
    *,
    units=256,
    embedding_dim=256,
    num_layers=3,
    filters=10,
    kernel_size=201,
    cell="gru",
    score="location_aware",
    bridge="mean",
    readout="deep",
    dropout=0.2,
):
    """Location-aware attention, made for speech.

    Deep bidirectional GRU; the score sees where the step before attended,
    through a convolution. For sound, `source_shape` takes the place of a source
    vocabulary: `Seq2Seq.from_preset(.., source_shape=(None, 40))`. Dropout and
    the first state are ours.

    Args:
        units: Integer. Width of the GRUs, per direction; the score is twice as
            wide.
        embedding_dim: Integer. Width of the embeddings.
        num_layers: Integer. Layers of the encoder.
        filters, kernel_size: Integers. The convolution over the last attention
            scores; the paper's 201 positions are frames of sound.
        cell: The cell on either side, a name or a Keras cell.
        score: As for `BahdanauCell`.
        bridge: As for `RecurrentDecoder`.
        readout: As for `Seq2Seq`.
        dropout: Float in `[0, 1)`. On embeddings, between the layers of the
            encoder, on memory and deep output.

    Returns:
        Dict of arguments of `Seq2Seq`.

    References:
        - [Chorowski et al., 2015](https://arxiv.org/abs/1506.07503), sections
          2.1 and 4
    """
    if score == "location_aware":
        score = layers.LocationAwareScore(
            2 * units, filters=filters, kernel_size=kernel_size
        )
    encoders = [
        layers.RecurrentEncoder(layer_of(cell, units), bidirectional=True)
        for _ in range(num_layers)
    ]
    return {
        "encoder": layers.StackedEncoder(encoders, dropout=dropout),
        "decoder": layers.RecurrentDecoder(
            layers.BahdanauCell(cell_of(cell, units), score),
            bridge=bridge,
            dropout=dropout,
        ),
        "readout": readout_of(readout, max(1, units // 4), dropout),
        "embedding_dim": embedding_dim,
    }
