import keras
from keras import ops

from keras_seq2seq.ops import vocabulary_mask
from keras_seq2seq.search.constraints.ban import Ban
from keras_seq2seq.search.constraints.history import empty_history
from keras_seq2seq.search.constraints.history import write_token
from keras_seq2seq.search.special import IMPOSSIBLE
from keras_seq2seq.utils.sizes import check_dimension


@keras.saving.register_keras_serializable("keras_seq2seq")
class NoRepeatNgram(Ban):
    """Prevents n-grams of tokens from occurring twice in a hypothesis.

    A token is banned if it would complete an n-gram that the hypothesis already
    contains. The start token is not part of a hypothesis.

    Args:
        ngram_size: Integer. With `1`, no token occurs twice. Defaults to `3`.

    Call arguments:
        state: Dict of `tokens`, integers of shape `(rows, max_length)`.

    Example:

    >>> search = k2s.search.GreedySearch(
    ...     max_length=9,
    ...     constraints=[k2s.search.constraints.NoRepeatNgram(2)],
    ... )
    >>> logits = keras.ops.log(np.array([[0.0, 0.0, 0.1, 0.2, 0.7]]))
    >>> def step(token_ids, states, cache, index):
    ...     return logits, states, cache, None
    >>> results = search(
    ...     step,
    ...     states=keras.ops.zeros((1, 1)),
    ...     start_token_id=1, end_token_id=2, pad_token_id=0,
    ... )
    >>> keras.ops.convert_to_numpy(results["token_ids"])[0, 0].tolist()
    [4, 4, 3, 4, 2, 0, 0, 0, 0]

    References:
        - [Paulus et al., 2018](https://arxiv.org/abs/1705.04304), section 2.5
    """

    def __init__(self, ngram_size=3):
        self.ngram_size = check_dimension(ngram_size, "ngram_size")

    def first_state(self, rows, max_length):
        return {"tokens": empty_history(rows, max_length)}

    def __call__(self, log_probs, state, context):
        tokens, before = state["tokens"], self.ngram_size - 1
        windows = tokens.shape[1] - before
        if windows < 1:
            return log_probs
        # Window i: the n - 1 tokens from i on, followed by tokens[i + n - 1].
        repeats = (
            ops.arange(before, before + windows, dtype="int32") < context.index
        )
        for k in range(before):
            index = ops.maximum(context.index - before + k, 0)
            latest = ops.take(tokens, ops.reshape(index, (1,)), axis=1)
            repeats = repeats & (tokens[:, k : k + windows] == latest)
        followed = tokens[:, before:]
        repeats = ops.broadcast_to(repeats, ops.shape(followed))
        banned = vocabulary_mask(followed, repeats, log_probs.shape[-1])
        return ops.where(banned, IMPOSSIBLE, log_probs)

    def next_state(self, state, token_ids, index):
        return {"tokens": write_token(state["tokens"], token_ids, index)}

    def get_config(self):
        return {"ngram_size": self.ngram_size}
