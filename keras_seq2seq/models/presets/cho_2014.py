from keras_seq2seq import layers
from keras_seq2seq.models.presets.recurrent_parts import layer_of
from keras_seq2seq.models.presets.recurrent_parts import readout_of
from keras_seq2seq.models.presets.recurrent_parts import stack_of

SMALL = {"units": 192, "embedding_dim": 64, "dropout": 0.1}


def cho_2014(
    *,
    units=1000,
    embedding_dim=100,
    num_layers=1,
    cell="gru",
    context="tanh",
    context_in_output=True,
    bridge="dense",
    readout="deep",
    dropout=0.2,
):
    """GRU encoder and decoder, one summary of the source at every step.

    The first decoder state is a dense layer of the encoder's final state (in
    the paper, of the summary); the output sees state, summary and last token
    through a maxout layer half as wide as the GRU. Dropout is ours. The
    paper's GRU resets before the product: `cell="gru_reset_before"`.

    Args:
        units: Integer. Width of the GRUs and of the summary.
        embedding_dim: Integer. Width of the embeddings.
        num_layers: Integer. Layers, on either side.
        cell: The cell on either side, a name or a Keras cell.
        context, context_in_output: As for `ChoCell`.
        bridge: As for `RecurrentDecoder`.
        readout: As for `Seq2Seq`.
        dropout: Float in `[0, 1)`. On embeddings and deep output.

    Returns:
        Dict of arguments of `Seq2Seq`.

    References:
        - [Cho et al., 2014](https://arxiv.org/abs/1406.1078), appendix A
    """
    return {
        "encoder": layers.RecurrentEncoder(
            layer_of(cell, units, num_layers), dropout=dropout
        ),
        "decoder": layers.RecurrentDecoder(
            layers.ChoCell(
                stack_of(cell, units, num_layers),
                context=context,
                context_in_output=context_in_output,
            ),
            bridge=bridge,
            dropout=dropout,
        ),
        "readout": readout_of(readout, max(1, units // 2), dropout),
        "embedding_dim": embedding_dim,
    }
