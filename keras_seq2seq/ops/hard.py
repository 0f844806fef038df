"""Hard attention: one-hot weights."""

from keras import ops

from keras_seq2seq.ops.attention import LOWEST

LEAST = 1e-30  # a uniform number may be 0


def gumbel(uniform):
    """Gumbel noise `-log(-log(u))` from uniform numbers `u` in [0, 1)."""
    return -ops.log(-ops.log(ops.maximum(uniform, LEAST)))


def hard_weights(energies, mask=None, noise=None):
    """One-hot weights at the argmax of `log_softmax(energies) + noise`.

    With Gumbel noise the position is a sample of the softmax. The gradient of
    the sampled weight is that of its log-probability; the other weights have no
    gradient. Masked positions get zero, and a fully masked row gives zeros.
    Computed in float32.

    Args:
        energies: Float tensor of shape `(..., Tv)`.
        mask: Boolean tensor that broadcasts to it, `True` at real positions.
        noise: Float tensor of the shape of `energies`, or `None`.

    Returns:
        Float tensor of the shape and dtype of `energies`.
    """
    x = ops.cast(energies, "float32")
    if mask is not None:
        x = ops.where(mask, x, LOWEST)
    log_probs = ops.log_softmax(x, axis=-1)
    ranked = ops.stop_gradient(log_probs)
    # The value is exactly 1, the gradient that of `log_probs`.
    one = 1.0 + (log_probs - ranked)
    if noise is not None:
        ranked = ranked + ops.cast(noise, "float32")
    position = ops.expand_dims(ops.argmax(ranked, axis=-1), -1)
    positions = ops.arange(ops.shape(x)[-1], dtype=position.dtype)
    weights = ops.where(ops.equal(positions, position), one, 0.0)
    if mask is not None:
        weights = ops.where(mask, weights, 0.0)
    return ops.cast(weights, energies.dtype)
