from keras_seq2seq import layers
from keras_seq2seq.models.presets.recurrent_parts import readout_of
from keras_seq2seq.models.presets.recurrent_parts import stack_of
from keras_seq2seq.utils import registry

SMALL = {"units": 128, "embedding_dim": 64, "num_layers": 1, "dropout": 0.1}


def raffel_2017(
    *,
    units=512,
    embedding_dim=512,
    num_layers=2,
    noise=1.0,
    bias=-1.0,
    cell="lstm",
    score="normed_bahdanau",
    bridge="copy",
    readout="direct",
    dropout=0.2,
):
    """Monotonic attention: soft in training, hard and online afterwards.

    LSTM encoder and decoder with input feeding; the additive score is weight
    normalized. The alignments are expectations in training, with noise before
    the sigmoid; in inference each step reads on until it stops at one position.

    Args:
        units: Integer. Width of the LSTMs, the score and the attention vector.
        embedding_dim: Integer. Width of the embeddings.
        num_layers: Integer. LSTM layers, on either side.
        noise: Float. Standard deviation of the noise in training.
        bias: Float. First value of the learned scalar added to the energies.
            Both of the paper's normalizer, which a whole mechanism replaces.
        cell: The cell on either side, a name or a Keras cell.
        score: As for `LuongCell`.
        bridge: As for `RecurrentDecoder`.
        readout: As for `Seq2Seq`.
        dropout: Float in `[0, 1)`. On embeddings, memory and attention vector.

    Returns:
        Dict of arguments of `Seq2Seq`.

    References:
        - [Raffel et al., 2017](https://arxiv.org/abs/1704.00784), sections
          2.4-2.5 and 4
    """
    attention = registry.object_of(score)
    if not isinstance(attention, layers.AttentionMechanism):
        normalizer = layers.MonotonicNormalizer(
            "parallel", inference_mode="hard", noise=noise, bias=bias
        )
        attention = layers.AttentionMechanism(
            attention, normalizer, name="attention"
        )
    return {
        "encoder": layers.RecurrentEncoder(
            stack_of(cell, units, num_layers), dropout=dropout
        ),
        "decoder": layers.RecurrentDecoder(
            layers.LuongCell(stack_of(cell, units, num_layers), attention),
            bridge=bridge,
            dropout=dropout,
        ),
        "readout": readout_of(readout, units, dropout),
        "embedding_dim": embedding_dim,
    }
