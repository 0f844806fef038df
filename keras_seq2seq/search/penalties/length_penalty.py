from keras_seq2seq.utils.configs import config_of_nothing


class LengthPenalty:
    """Abstract length penalty: from a log-probability to a score.

    The score must rise with the log-probability and be monotone in the length,
    falling or rising: that is what makes the bound exact by which a beam search
    stops.

    Call arguments:
        log_probs: Float tensor of shape `(batch_size, n)`, of hypotheses.
        length: Float scalar tensor, their tokens, the end token counted.
        inputs: Dict of the search's data inputs, `batch_size` rows each.

    Returns:
        Scores, of the shape of `log_probs`.
    """

    input_names = ()

    def check_inputs(self, inputs, max_length):
        """Raise where the shape of an input cannot be meant."""

    def __call__(self, log_probs, length, inputs):
        raise NotImplementedError

    def get_config(self):
        return config_of_nothing(self)

    @classmethod
    def from_config(cls, config):
        return cls(**config)
