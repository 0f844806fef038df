import keras
from keras import ops

from keras_seq2seq.layers.attention.attention_normalizer import (
    AttentionNormalizer,
)
from keras_seq2seq.ops import monotonic_hard
from keras_seq2seq.ops import monotonic_parallel
from keras_seq2seq.ops import monotonic_recursive
from keras_seq2seq.ops import over_queries
from keras_seq2seq.utils.checks import check_choice
from keras_seq2seq.utils.checks import check_number

ALIGNMENTS = {
    "parallel": monotonic_parallel,
    "recursive": monotonic_recursive,
    "hard": monotonic_hard,
}


@keras.saving.register_keras_serializable("keras_seq2seq")
class MonotonicNormalizer(AttentionNormalizer):
    """Monotonic attention: it only moves forward through the memory.

    `p_ij = sigmoid(e_ij + r)`, with the energy `e_ij` of position `j` at step
    `i` and a learned scalar `r`. The weights are
    `alpha_ij = p_ij sum_{k <= j} alpha_{i-1,k} prod_{k <= l < j} (1 - p_il)`:
    the expectation of a process that moves right from the position it chose at
    the previous step and stops at position `j` with probability `p_ij`. It
    never stops where `value_mask` is `False`. Weights sum to at most 1: a
    process that reaches the end of the memory attends to nothing.

    Args:
        mode: `"parallel"`, a closed form that is inexact where the product of
            the `1 - p_il` falls below 1e-10; `"recursive"`, exact; or `"hard"`,
            the process itself, which stops where `p_ij > 0.5` and has no
            gradient. Defaults to `"parallel"`.
        inference_mode: The mode at inference; the paper uses `"hard"`. Defaults
            to `None`, the same as `mode`.
        noise: Float of at least 0. Standard deviation of the noise added to the
            energies in training, which pushes `p_ij` towards 0 and 1. Defaults
            to `0.0`.
        bias: Float. Initial value of `r`, negative for long memories. Defaults
            to `0.0`.

    Call arguments:
        energies: Float tensor of shape `(batch_size, Tq, Tv)`.
        value_mask: Boolean tensor of shape `(batch_size, Tv)`, or
            `(batch_size, Tq, Tv)`, `True` at real positions, or `None`.
        state: Float tensor of shape `(batch_size, Tq, Tv)`, the weights of the
            previous step. Defaults to `None`, a first step, which starts at the
            first position.
        noise: Float tensor of shape `(batch_size, Tq, Tv)`, from `draw_noise`.
        training: Boolean.

    Returns:
        Float tensor of shape `(batch_size, Tq, Tv)`.

    Example:

    >>> normalizer = k2s.layers.MonotonicNormalizer("recursive")
    >>> energies = keras.ops.zeros((1, 1, 4))  # stop or go on, 50 to 50
    >>> print(keras.ops.convert_to_numpy(normalizer(energies)))
    [[[0.5    0.25   0.125  0.0625]]]

    References:
        - [Raffel et al., 2017](https://arxiv.org/abs/1704.00784), eq. 9,
          11-14, appendix C.1
    """

    has_state = True

    def __init__(
        self,
        mode="parallel",
        inference_mode=None,
        *,
        noise=0.0,
        bias=0.0,
        **kwargs,
    ):
        super().__init__(**kwargs)
        self.mode = check_choice(mode, "mode", ALIGNMENTS)
        if inference_mode is not None:
            check_choice(inference_mode, "inference_mode", ALIGNMENTS)
        self.inference_mode = inference_mode
        self.noise = check_number(noise, "noise", least=0.0)
        self.bias = check_number(bias, "bias")
        self.seed_generator = keras.random.SeedGenerator()

    def build(self, energies_shape):
        self.offset = self.add_weight(
            shape=(),
            initializer=keras.initializers.Constant(self.bias),
            name="offset",
        )

    def first_state(self, value):
        return _first_position(value[:, :, 0])

    def next_state(self, state, attention_scores, keys):
        return attention_scores

    def draw_noise(self, shape):
        if self.noise == 0.0:
            return None
        return keras.random.normal(
            shape,
            stddev=self.noise,
            dtype=self.compute_dtype,
            seed=self.seed_generator,
        )

    def call(
        self, energies, value_mask=None, state=None, noise=None, training=False
    ):
        mode = self.mode if training else self.inference_mode or self.mode
        x = ops.cast(energies, "float32") + ops.cast(self.offset, "float32")
        if noise is not None and training:
            x = x + ops.cast(noise, "float32")
        p = ops.cast(x > 0, "float32") if mode == "hard" else ops.sigmoid(x)
        if value_mask is not None:
            p = ops.where(over_queries(value_mask), p, 0.0)
        previous = _first_position(energies) if state is None else state
        weights = ALIGNMENTS[mode](p, ops.cast(previous, "float32"))
        return ops.cast(weights, energies.dtype)

    def get_config(self):
        return {
            **super().get_config(),
            "mode": self.mode,
            "inference_mode": self.inference_mode,
            "noise": self.noise,
            "bias": self.bias,
        }


def _first_position(x):
    """One-hot tensor of the shape of `x`, 1 at the first position."""
    first = ops.equal(ops.arange(ops.shape(x)[-1], dtype="int32"), 0)
    return ops.zeros_like(x) + ops.cast(first, x.dtype)
