from keras_seq2seq.search.search_part import SearchPart


class LengthPenalty(SearchPart):
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

    def __call__(self, log_probs, length, inputs):
        raise NotImplementedError
