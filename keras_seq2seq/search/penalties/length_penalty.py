from keras_seq2seq.search.search_part import SearchPart


class LengthPenalty(SearchPart):
    """Abstract length penalty: turns a log-probability into a score.

    The score must increase with the log-probability and be monotonic in the
    length. Then the bound that lets a beam search stop early is exact.

    Call arguments:
        log_probs: Float tensor of shape `(batch_size, n)`, the
            log-probabilities of hypotheses.
        length: Float scalar tensor. Their length, including the end token.
        inputs: Dict of the search's data inputs, with `batch_size` rows each.

    Returns:
        Scores, of the shape of `log_probs`.
    """

    def __call__(self, log_probs, length, inputs):
        raise NotImplementedError
