import keras
from keras import ops

from keras_seq2seq.losses.attention_loss import AttentionLoss
from keras_seq2seq.utils.checks import check_positive
from keras_seq2seq.utils.checks import check_rate


@keras.saving.register_keras_serializable("keras_seq2seq")
class ScoreFunctionLoss(AttentionLoss):
    """Trains hard attention: REINFORCE with a moving-average baseline.

    Its value is zero. Its gradient is `-lambda_r (log p(y) - b) d log p(s)`,
    summed over the tokens of a target and divided by the number of tokens in
    the batch: if the log-likelihood `log p(y)` of a target is above the
    baseline `b`, the sampled positions `s` become more probable. The entropy
    term of the paper, `lambda_e`, is left out. Each training batch updates `b`
    to `decay * b + (1 - decay) * mean(log p(y))`. Tokens with zero weight
    (padding) do not count.

    It needs attention scores with the gradient of a log-probability, as from
    `HardNormalizer`. For weights that always sum to 1, such as those of a
    softmax, the gradient is zero.

    Args:
        decay: Float in `[0, 1)`. Decay of the baseline. Defaults to `0.9`.
        weight: Float above 0. The factor `lambda_r`. Defaults to `1.0`.

    Call arguments:
        attention_scores: Float tensor of shape
            `(batch_size, target_length, Tv)`.
        token_losses: Float tensor of shape `(batch_size, target_length)`, the
            negative log-likelihood of each target token.
        weights: Float tensor of shape `(batch_size, target_length)`, zero at
            padding.
        training: Boolean. Whether to update the baseline.

    Returns:
        Float32 scalar.

    Example:

    >>> loss = k2s.losses.ScoreFunctionLoss()
    >>> scores = np.array([[[0.0, 1.0], [1.0, 0.0]]])
    >>> token_losses, weights = np.array([[2.0, 3.0]]), np.array([[1.0, 1.0]])
    >>> float(loss(scores, token_losses, weights, training=True)) == 0.0
    True
    >>> print(f"{float(loss.baseline.numpy()):.2f}")  # 0.1 * (-2 - 3)
    -0.50

    References:
        - [Xu et al., 2015](https://arxiv.org/abs/1502.03044), section 4.1
    """

    def __init__(self, decay=0.9, *, weight=1.0, **kwargs):
        super().__init__(**kwargs)
        self.decay = check_rate(decay, "decay")
        self.weight = check_positive(weight, "weight")
        self.baseline = self.add_weight(
            shape=(),
            initializer="zeros",
            dtype="float32",
            trainable=False,
            autocast=False,
            name="baseline",
        )

    def call(self, attention_scores, token_losses, weights, training=False):
        baseline = ops.convert_to_tensor(self.baseline)
        loss, rewards = score_function_loss(
            attention_scores, token_losses, weights, baseline
        )
        if training:
            new = (1 - self.decay) * ops.mean(rewards)
            self.baseline.assign(self.decay * baseline + new)
        return self.weight * loss

    def get_config(self):
        return {
            **super().get_config(),
            "decay": self.decay,
            "weight": self.weight,
        }


def score_function_loss(attention_scores, token_losses, weights, baseline):
    """The loss of `ScoreFunctionLoss`, for a custom training loop.

    Args:
        attention_scores, token_losses, weights: As for `ScoreFunctionLoss`.
        baseline: Float scalar.

    Returns:
        Float32 scalar, and the log-likelihoods of the targets, `(batch_size,)`.
    """
    weights = ops.cast(weights, "float32")
    losses = ops.stop_gradient(ops.cast(token_losses, "float32"))
    rewards = -ops.sum(losses * weights, axis=1)
    drawn = ops.sum(ops.cast(attention_scores, "float32"), axis=-1)
    log_probs = drawn - ops.stop_gradient(drawn)  # zero, with a gradient
    real = ops.cast(weights > 0, "float32")
    gains = ops.expand_dims(rewards - baseline, 1) * log_probs * real
    return -ops.sum(gains) / ops.maximum(ops.sum(real), 1.0), rewards
