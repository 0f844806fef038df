import keras

from keras_seq2seq.search.penalties.length_penalty import LengthPenalty


@keras.saving.register_keras_serializable("keras_seq2seq")
class AvgPenalty(LengthPenalty):
    """`log P / length`: the score is the mean log-probability per token.

    Example:

    >>> search = k2s.search.BeamSearch(length_penalty="avg")
    """

    def __call__(self, log_probs, length, inputs):
        return log_probs / length
