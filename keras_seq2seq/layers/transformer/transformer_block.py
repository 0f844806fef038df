import keras
from keras import ops

from keras_seq2seq.layers.transformer.cache import empty_cache
from keras_seq2seq.layers.transformer.cache import write_cache
from keras_seq2seq.layers.transformer.feed_forward import FeedForward
from keras_seq2seq.layers.transformer.multi_head_attention import (
    MultiHeadAttention,
)
from keras_seq2seq.layers.transformer.residual import Residual
from keras_seq2seq.utils.checks import check_rate


@keras.saving.register_keras_serializable("keras_seq2seq")
class TransformerBlock(keras.layers.Layer):
    """One layer of a Transformer, of an encoder or of a decoder.

    Self-attention; attention to a memory, where there is one; feed-forward.
    Each is in a residual connection with its normalisation. A step of a search
    is a call on the beams of a source, side by side, with a cache of the keys
    and values before them: there is no other code for it.

    Args:
        num_heads: Integer, a divisor of the width of the inputs.
        intermediate_dim: Integer, or `None` for four times that width.
        cross_attention: Boolean. Whether the block attends to a memory.
            Defaults to `False`.
        activation: Name or callable, of the feed-forward. Defaults to
            `"relu"`.
        normalize_first: Boolean. Pre-normalisation, or post-normalisation.
            Defaults to `False`.
        dropout: Float in `[0, 1)`. Dropout on attention weights and on what
            each sub-layer gives. Defaults to `0.0`.
        use_bias: Boolean. Whether the dense layers have biases. Defaults to
            `True`.

    Call arguments:
        inputs: Float tensor of shape `(rows, length, dim)`.
        memory: What `project_memory` gave. Without `cross_attention`, keys
            and values in front of the sequence. `rows` may be a
            multiple of its rows: the beams of a source are queries on one
            memory.
        cache: Dict of keys and values with room for what is to come, or
            `None` for a pass over a whole sequence.
        first: Integer or integer scalar, the index of the first input.
        seen: Boolean tensor that broadcasts to
            `(rows, num_heads, length, places)`, `True` where an input may
            attend.
        memory_seen: The same for the memory.
        rotation: Of a `Position`, or `None`.
        bias: Of a `Position`, for self-attention, or `None`.
        training: Boolean.

    Returns:
        Output of the shape of `inputs`; the keys and values of the sequence,
        in the cache where there is one; and a dict of the attention scores,
        `(rows, num_heads, length, places)`: `"self"`, and `"memory"` where
        there is one, of the rows of the memory with the beams among the
        queries.

    Example:

    >>> block = k2s.layers.TransformerBlock(num_heads=2)
    >>> output, _, scores = block(np.ones((2, 3, 4)))
    >>> tuple(output.shape), tuple(scores["self"].shape)
    ((2, 3, 4), (2, 2, 3, 3))

    References:
        - [Vaswani et al., 2017](https://arxiv.org/abs/1706.03762), section 3.1
        - [Xiong et al., 2020](https://arxiv.org/abs/2002.04745), where the
          normalisation stands
    """

    def __init__(
        self,
        num_heads,
        intermediate_dim=None,
        *,
        cross_attention=False,
        activation="relu",
        normalize_first=False,
        dropout=0.0,
        use_bias=True,
        **kwargs,
    ):
        super().__init__(**kwargs)
        self.supports_masking = True
        self.num_heads = num_heads
        self.intermediate_dim = intermediate_dim
        self.cross_attention = cross_attention
        self.activation = keras.activations.get(activation)
        self.normalize_first = normalize_first
        self.dropout = check_rate(dropout, "dropout")
        self.use_bias = use_bias
        self.self_attention = self._attention("self_attention")
        self.feed_forward = FeedForward(
            intermediate_dim,
            self.activation,
            use_bias=use_bias,
            dtype=self.dtype_policy,
            name="feed_forward",
        )
        names = ["self_attention", "feed_forward"]
        if cross_attention:
            self.memory_attention = self._attention("memory_attention")
            names.append("memory_attention")
        self.residuals = {name: self._residual(name) for name in names}

    def _attention(self, name):
        return MultiHeadAttention(
            self.num_heads,
            self.dropout,
            use_bias=self.use_bias,
            dtype=self.dtype_policy,
            name=name,
        )

    def _residual(self, name):
        return Residual(
            self.normalize_first,
            self.dropout,
            dtype=self.dtype_policy,
            name=f"{name}_residual",
        )

    def build(self, inputs_shape, memory_shape=None, **other_shapes):
        """`memory_shape`: of the memory before `project_memory`."""
        shape = (None, None, inputs_shape[-1])
        self.self_attention.build(shape, shape)
        self.feed_forward.build(shape)
        if self.cross_attention:
            self.memory_attention.build(shape, memory_shape)
        for residual in self.residuals.values():
            residual.build(shape)

    @property
    def head_dim(self):
        return self.self_attention.head_dim

    def empty_cache(self, rows, length):
        """A cache for `length` tokens."""
        return empty_cache(
            rows, length, self.num_heads, self.head_dim, self.compute_dtype
        )

    def project_memory(self, memory):
        """Keys and values of a memory `(batch_size, Tv, dim)`, once."""
        return self.memory_attention.project(memory)

    def call(
        self,
        inputs,
        memory=None,
        cache=None,
        first=0,
        seen=None,
        memory_seen=None,
        rotation=None,
        bias=None,
        training=False,
    ):
        residual = self.residuals["self_attention"]
        x = residual.enter(inputs)
        projected = self.self_attention.project(x, rotation)
        if cache is not None:
            projected = write_cache(cache, projected, first)
        output, scores = self.self_attention(
            x,
            projected=projected,
            seen=seen,
            prefix=None if self.cross_attention else memory,
            prefix_seen=memory_seen,
            rotation=rotation,
            bias=bias,
            training=training,
        )
        x = residual.leave(inputs, output, training)
        scores = {"self": scores}
        if self.cross_attention:
            x, scores["memory"] = self._attend(x, memory, memory_seen, training)
        residual = self.residuals["feed_forward"]
        output = self.feed_forward(residual.enter(x))
        return residual.leave(x, output, training), projected, scores

    def _attend(self, x, memory, seen, training):
        """Attention to the memory, the beams of a source as its queries."""
        residual = self.residuals["memory_attention"]
        batch = ops.shape(memory["keys"])[0]
        query = residual.enter(x)
        output, scores = self.memory_attention(
            ops.reshape(query, (batch, -1, x.shape[-1])),
            projected=memory,
            seen=seen,
            training=training,
        )
        output = ops.reshape(output, ops.shape(x))
        return residual.leave(x, output, training), scores

    def get_config(self):
        return {
            **super().get_config(),
            "num_heads": self.num_heads,
            "intermediate_dim": self.intermediate_dim,
            "cross_attention": self.cross_attention,
            "activation": keras.activations.serialize(self.activation),
            "normalize_first": self.normalize_first,
            "dropout": self.dropout,
            "use_bias": self.use_bias,
        }
