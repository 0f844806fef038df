import keras

from keras_seq2seq.search.penalties.length_penalty import LengthPenalty


@keras.saving.register_keras_serializable("keras_seq2seq")
class NonePenalty(LengthPenalty):
    """No length penalty: the score is the log-probability.

    Example:

    >>> search = k2s.search.BeamSearch(length_penalty="none")
    """

    def __call__(self, log_probs, length, inputs):
        return log_probs
