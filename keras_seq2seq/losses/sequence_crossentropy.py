import keras
from keras import ops

from keras_seq2seq.ops import token_weights
from keras_seq2seq.utils.checks import check_choice


@keras.saving.register_keras_serializable("keras_seq2seq")
class SequenceCrossentropy(keras.losses.Loss):
    """Cross-entropy of target sequences, with a choice of reductions.

    With the loss `l_bt` of token `t` in sentence `b`, its weight `w_bt` (zero
    at padding), and `B` sentences with non-zero weights, it is

    ```
    mean_over_tokens:     sum_b sum_t w_bt l_bt / sum_b sum_t w_bt
    sum_over_time:        sum_b sum_t w_bt l_bt / B
    mean_over_sentences:  sum_b (sum_t w_bt l_bt / sum_t w_bt) / B
    ```

    Long sentences count more in the first two; in the last all sentences count
    the same. The gradients of `"sum_over_time"` grow with the number of tokens
    in a sentence, so it needs a smaller learning rate or gradient clipping. The
    weights are the sample weights times the mask of the logits, as in Keras.

    Args:
        reduction: `"mean_over_tokens"`, `"sum_over_time"` or
            `"mean_over_sentences"`. Defaults to `"mean_over_tokens"`.

    Call arguments:
        y_true: Integer tensor of shape `(batch_size, target_length)`.
        y_pred: Logits of shape
            `(batch_size, target_length, target_vocabulary_size)`.
        sample_weight: Float tensor of shape `(batch_size, target_length)`, or
            `(batch_size,)`, or `None`.

    Returns:
        Float scalar, zero if all weights are zero.

    Example:

    >>> loss = k2s.losses.SequenceCrossentropy("sum_over_time")
    >>> logits = np.zeros((2, 3, 4))  # each token costs log 4
    >>> weights = np.array([[1, 1, 1], [1, 0, 0]])
    >>> value = float(loss(np.ones((2, 3)), logits, weights))
    >>> print(f"{value / np.log(4):.2f}")  # (3 + 1) / 2
    2.00
    """

    def __init__(
        self,
        reduction="mean_over_tokens",
        *,
        name="sequence_crossentropy",
        dtype=None,
    ):
        super().__init__(name=name, reduction="none", dtype=dtype)
        self.reduction = check_choice(reduction, "reduction", REDUCTIONS)

    def __call__(self, y_true, y_pred, sample_weight=None):
        losses = self.call(y_true, y_pred)
        weights = token_weights(losses, y_pred, sample_weight)
        return REDUCTIONS[self.reduction](losses * weights, weights)

    def call(self, y_true, y_pred):
        y_pred = ops.cast(y_pred, self.dtype)
        return keras.losses.sparse_categorical_crossentropy(
            y_true, y_pred, from_logits=True
        )

    def get_config(self):
        return {**super().get_config(), "dtype": self.dtype}


def _sentences(weights):
    real = ops.any(weights > 0, axis=1)
    return ops.sum(ops.cast(real, weights.dtype))


def _mean_over_tokens(losses, weights):
    return ops.divide_no_nan(ops.sum(losses), ops.sum(weights))


def _sum_over_time(losses, weights):
    return ops.divide_no_nan(ops.sum(losses), _sentences(weights))


def _mean_over_sentences(losses, weights):
    means = ops.divide_no_nan(ops.sum(losses, axis=1), ops.sum(weights, axis=1))
    return ops.divide_no_nan(ops.sum(means), _sentences(weights))


REDUCTIONS = {
    "mean_over_tokens": _mean_over_tokens,
    "sum_over_time": _sum_over_time,
    "mean_over_sentences": _mean_over_sentences,
}
