"""Perplexity: Keras's metric for `fit`, and that of a corpus."""

import keras
import numpy as np
from keras import ops

from keras_seq2seq.metrics.reads import reads_log_probs
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


@reads_log_probs
def perplexity(log_probs) -> float:
    """Perplexity of a corpus: `exp` of the mean negative log-probability.

    The mean is over all tokens of all references, with the end token of each.
    Perplexities of tasks with different target tokenizers are not comparable.
    It is `inf` above 1.8e308, the largest float.

    Args:
        log_probs: List with a list of arrays for each source: the
            log-probability of each token of each reference, with the end token
            last, as `task.score(pairs, per_token=True)` returns it.

    Returns:
        Float of at least 1.

    Example:

    >>> halves, quarters = np.log([0.5, 0.5]), np.log([0.25, 0.25])
    >>> print(f"{k2s.metrics.perplexity([[halves], [quarters]]):.3f}")
    2.828
    """
    rows = [np.asarray(row, "float64") for group in log_probs for row in group]
    if not sum(map(len, rows)):
        raise ValueError(
            "`log_probs` must hold at least one token. Received: "
            f"len(log_probs)={len(log_probs)}, without a token."
        )
    with np.errstate(over="ignore"):
        return float(np.exp(-np.mean(np.concatenate(rows))))
