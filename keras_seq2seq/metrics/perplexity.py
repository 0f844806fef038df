import keras
from keras import ops

from keras_seq2seq.ops import token_weights


@keras.saving.register_keras_serializable("keras_seq2seq")
class Perplexity(keras.metrics.Metric):
    """Perplexity: the exponential of the mean cross-entropy per token.

    `exp(sum_i w_i l_i / sum_i w_i)` over all tokens `i` of an epoch, with the
    loss `l_i` of a token and its weight `w_i`, the sample weight times the mask
    of the logits. Pass it to `compile` in `weighted_metrics`. It is `inf` above
    3.4e38, the largest float32, and 1 if all weights are zero.

    Call arguments:
        y_true: Integer tensor of shape `(batch_size, target_length)`.
        y_pred: Logits of shape
            `(batch_size, target_length, target_vocabulary_size)`.
        sample_weight: Float tensor of shape `(batch_size, target_length)`, or
            `(batch_size,)`, or `None`.

    Returns:
        Float scalar.

    Example:

    >>> perplexity = k2s.metrics.Perplexity()
    >>> logits = np.zeros((2, 3, 4))  # four equally probable tokens
    >>> print(f"{float(perplexity(np.ones((2, 3)), logits)):.2f}")
    4.00
    """

    def __init__(self, name="perplexity", dtype=None):
        super().__init__(name=name, dtype=dtype)
        self.total = self.add_variable((), "zeros", name="total")
        self.count = self.add_variable((), "zeros", name="count")

    def update_state(self, y_true, y_pred, sample_weight=None):
        losses = keras.losses.sparse_categorical_crossentropy(
            y_true, ops.cast(y_pred, self.dtype), from_logits=True
        )
        weights = token_weights(losses, y_pred, sample_weight)
        self.total.assign_add(ops.sum(losses * weights))
        self.count.assign_add(ops.sum(weights))

    def result(self):
        return ops.exp(ops.divide_no_nan(self.total, self.count))
