import keras

from keras_seq2seq.search.path_search import PathSearch


@keras.saving.register_keras_serializable("keras_seq2seq")
class GreedySearch(PathSearch):
    """Greedy search: the most probable token at each step.

    The score is the log-probability of the hypothesis, the end token counted.

    Args:
        max_length: Integer. Longest hypothesis in tokens, the end token
            counted; there a hypothesis is cut. Defaults to `100`.
        min_length: Integer. Shortest hypothesis in tokens, the end token
            counted. Defaults to `0`.
        constraints: List of names, configs or instances of `Constraint`.
            Defaults to none.

    Example:

    >>> logits = keras.ops.log(np.array([[0.0, 0.0, 0.4, 0.6]] * 2))
    >>> search = k2s.search.GreedySearch(max_length=3)
    >>> def step(token_ids, states, cache, index):
    ...     return logits, states, cache, None
    >>> results = search(
    ...     step,
    ...     states=keras.ops.zeros((2, 1)),
    ...     start_token_id=1, end_token_id=2, pad_token_id=0,
    ... )
    >>> keras.ops.convert_to_numpy(results["token_ids"]).tolist()
    [[[3, 3, 3]], [[3, 3, 3]]]
    """

    def _preferences(self, log_probs, context):
        return log_probs
