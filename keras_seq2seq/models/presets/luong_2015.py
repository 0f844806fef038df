from keras_seq2seq import layers
from keras_seq2seq.models.presets.recurrent_parts import readout_of
from keras_seq2seq.models.presets.recurrent_parts import stack_of

SMALL = {"units": 128, "embedding_dim": 64, "num_layers": 1, "dropout": 0.1}


def luong_2015(
    *,
    units=1000,
    embedding_dim=1000,
    num_layers=4,
    bidirectional=False,
    cell="lstm",
    score="general",
    attention_vector="tanh",
    input_feeding=True,
    bridge=None,
    readout="direct",
    dropout=0.2,
):
    """LSTM encoder and decoder, global attention after the update.

    Args:
        units: Integer. Width of the LSTMs, the score and the attention vector.
        embedding_dim: Integer. Width of the embeddings.
        num_layers: Integer. LSTM layers, on either side.
        bidirectional: Boolean. Whether half of the encoder's layers read
            forward and half backward.
        cell: The cell on either side, a name or a Keras cell.
        score: As for `LuongCell`; the paper has `"dot"`, `"general"` and
            `"concat"`.
        attention_vector: As for `LuongCell`.
        input_feeding: Boolean. Whether the decoder sees its last attention
            vector.
        bridge: As for `RecurrentDecoder`. `None` is `"copy"`, or `"layer"` of
            a bidirectional encoder.
        readout: As for `Seq2Seq`.
        dropout: Float in `[0, 1)`. On embeddings, memory and attention vector.

    Returns:
        Dict of arguments of `Seq2Seq`.

    References:
        - [Luong et al., 2015](https://arxiv.org/abs/1508.04025), sections 3-4
    """
    depth = num_layers // 2 if bidirectional else num_layers
    if bidirectional and num_layers % 2:
        raise ValueError(
            "With `bidirectional` half of the encoder's layers read backward. "
            f"Received: num_layers={num_layers}. Make it even."
        )
    encoder = layers.RecurrentEncoder(
        stack_of(cell, units, depth),
        bidirectional=bidirectional,
        dropout=dropout,
    )
    cell = layers.LuongCell(
        stack_of(cell, units, num_layers),
        score,
        attention_vector=attention_vector,
        input_feeding=input_feeding,
    )
    if bridge is None:
        bridge = "layer" if bidirectional else "copy"
    decoder = layers.RecurrentDecoder(cell, bridge=bridge, dropout=dropout)
    return {
        "encoder": encoder,
        "decoder": decoder,
        "readout": readout_of(readout, units, dropout),
        "embedding_dim": embedding_dim,
    }
