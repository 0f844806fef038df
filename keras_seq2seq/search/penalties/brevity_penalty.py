import keras
from keras import ops

from keras_seq2seq.search.inputs.table import SOURCE_LENGTHS
from keras_seq2seq.search.penalties.length_penalty import LengthPenalty
from keras_seq2seq.utils.checks import check_number
from keras_seq2seq.utils.checks import check_positive


@keras.saving.register_keras_serializable("keras_seq2seq")
class BrevityPenalty(LengthPenalty):
    """`log P + weight min(0, 1 - r / c)`, `r = ratio * source_length`.

    The logarithm of BLEU's brevity penalty: `c` is the length, including the
    end token, and `r` is the length expected for the source. The lengths of the
    sources are the input `source_lengths`, integers of shape `(batch_size,)`,
    which `InferenceModel` computes from the source.

    Args:
        weight: Float of at least 0. Defaults to `1.0`.
        ratio: Float above 0. Expected number of tokens per source token,
            including the end token. Defaults to `1.0`.

    Example:

    >>> penalty = k2s.search.penalties.BrevityPenalty(ratio=1.2)
    >>> search = k2s.search.BeamSearch(length_penalty=penalty)
    >>> search.input_names
    ('source_lengths',)

    References:
        - [Papineni et al., 2002](https://aclanthology.org/P02-1040), section
          2.3
    """

    inputs = (SOURCE_LENGTHS,)

    def __init__(self, weight=1.0, *, ratio=1.0):
        self.weight = check_number(weight, "weight", 0.0)
        self.ratio = check_positive(ratio, "ratio")

    def __call__(self, log_probs, length, inputs):
        sources = ops.cast(inputs["source_lengths"], "float32")
        short = 1.0 - self.ratio * ops.expand_dims(sources, 1) / length
        return log_probs + self.weight * ops.minimum(short, 0.0)

    def get_config(self):
        return {"weight": self.weight, "ratio": self.ratio}
