import keras
from keras import ops

from keras_seq2seq.layers.dense import Dense
from keras_seq2seq.layers.transformer.prefix import energies_of_prefix
from keras_seq2seq.layers.transformer.prefix import joint_softmax
from keras_seq2seq.layers.transformer.prefix import weighted_values
from keras_seq2seq.ops import masked_softmax
from keras_seq2seq.utils.checks import check_rate
from keras_seq2seq.utils.sizes import check_dimension


@keras.saving.register_keras_serializable("keras_seq2seq")
class MultiHeadAttention(keras.layers.Layer):
    """Scaled dot-product attention with several heads.

    `head_i = softmax((Q W^Q_i) (K W^K_i)^T / sqrt(head_dim)) V W^V_i`, where
    `Q` is the query and `K = V` the value; the output is
    `[head_1; ...; head_h] W^O`, as wide as the query. Each product has a bias,
    which the paper leaves out. Places that are not `seen` get a weight of
    exactly zero; a query that sees none gets zeros from every head.

    Args:
        num_heads: Integer, a divisor of the width of the query.
        dropout: Float in `[0, 1)`. Dropout on the weights. Defaults to `0.0`.
        use_bias: Boolean. Whether the dense layers have biases, of which the
            paper writes none. Defaults to `True`.

    Call arguments:
        query: Float tensor of shape `(batch_size, Tq, dim)`.
        value: Float tensor of shape `(batch_size, Tv, value_dim)`, or `None`
            where `projected` is given.
        projected: What `project(value)` gave, or `None`: it is computed here.
        seen: Boolean tensor that broadcasts to
            `(batch_size, num_heads, Tq, Tv)`, `True` where a query may look.
        prefix: Dict as `projected`, of positions in front of the value, or
            `None`. Queries of several beams may share it.
        prefix_seen: Boolean tensor of shape `(batch_size, 1, 1, Tp)`.
        rotation: Float tensor of shape `(2, ..., Tq, head_dim / 2)`, from a
            `Position`, or `None`.
        bias: Float tensor that broadcasts to the attention scores, from a
            `Position`, added to the energies before the softmax; or `None`.
        training: Boolean.

    Returns:
        Output of shape `(batch_size, Tq, dim)`, and attention scores of shape
        `(batch_size, num_heads, Tq, Tv)`, or `Tp + Tv` with a prefix.

    Example:

    >>> attention = k2s.layers.MultiHeadAttention(num_heads=2)
    >>> output, scores = attention(np.ones((2, 3, 4)), np.ones((2, 5, 6)))
    >>> tuple(output.shape), tuple(scores.shape)
    ((2, 3, 4), (2, 2, 3, 5))

    References:
        - [Vaswani et al., 2017](https://arxiv.org/abs/1706.03762), eq. 1 and
          section 3.2.2
    """

    def __init__(self, num_heads, dropout=0.0, *, use_bias=True, **kwargs):
        super().__init__(**kwargs)
        self.supports_masking = True
        self.num_heads = check_dimension(num_heads, "num_heads")
        self.dropout = check_rate(dropout, "dropout")
        self.use_bias = use_bias
        self.dropout_layer = keras.layers.Dropout(
            dropout, dtype=self.dtype_policy, name="dropout"
        )

    def build(self, query_shape, value_shape, **other_shapes):
        dim = query_shape[-1]
        if dim % self.num_heads:
            raise ValueError(
                f"`num_heads` must divide the width of the query, {dim}. "
                f"Received: num_heads={self.num_heads}. Change one of them."
            )
        self.head_dim = dim // self.num_heads
        self.query_dense = self._dense(dim, query_shape[-1], "query")
        # Keys and values in one product.
        self.value_dense = self._dense(2 * dim, value_shape[-1], "value")
        self.output_dense = self._dense(dim, dim, "output")

    def _dense(self, units, width, name):
        # By the fan in, so that keys and values start as if they were apart.
        dense = Dense(
            units,
            use_bias=self.use_bias,
            kernel_initializer=keras.initializers.VarianceScaling(
                mode="fan_in", distribution="uniform"
            ),
            dtype=self.dtype_policy,
            name=name,
        )
        dense.build((None, width))
        return dense

    def project(self, value, rotation=None):
        """Keys and values of all heads, once a sequence.

        Returns:
            Dict of `keys` `(batch_size, num_heads, head_dim, Tv)`, laid out
            for their product with queries, and `values`
            `(batch_size, num_heads, Tv, head_dim)`.
        """
        keys, values = ops.split(self.value_dense(value), 2, axis=-1)
        keys = rotated(self._heads(keys), rotation)
        return {
            "keys": ops.transpose(keys, (0, 2, 3, 1)),
            "values": ops.transpose(self._heads(values), (0, 2, 1, 3)),
        }

    def _heads(self, x):
        """`(batch, T, dim)` -> `(batch, T, num_heads, head_dim)`."""
        rows, length = ops.shape(x)[:2]
        return ops.reshape(x, (rows, length, self.num_heads, self.head_dim))

    def call(
        self,
        query,
        value=None,
        projected=None,
        seen=None,
        prefix=None,
        prefix_seen=None,
        rotation=None,
        bias=None,
        training=False,
    ):
        if projected is None:
            projected = self.project(value, rotation)
        queries = self._heads(self.query_dense(query) * self.head_dim**-0.5)
        queries = ops.transpose(rotated(queries, rotation), (0, 2, 1, 3))
        energies = ops.matmul(queries, projected["keys"])
        if prefix is None:
            scores = masked_softmax(energies, seen, bias)
        else:
            in_front = energies_of_prefix(queries, prefix, prefix_seen)
            scores = joint_softmax(in_front, energies, seen, bias)
        weights = self.dropout_layer(scores, training=training)
        heads = weighted_values(weights, projected, prefix)
        heads = ops.reshape(
            ops.transpose(heads, (0, 2, 1, 3)), ops.shape(query)
        )
        return self.output_dense(heads), scores

    def compute_output_shape(self, query_shape, value_shape, **other_shapes):
        rows, length, _ = query_shape
        return query_shape, (rows, self.num_heads, length, value_shape[1])

    def get_config(self):
        return {
            **super().get_config(),
            "num_heads": self.num_heads,
            "dropout": self.dropout,
            "use_bias": self.use_bias,
        }


def rotated(heads, rotation):
    """Heads `(batch, T, num_heads, head_dim)`, rotated by their position."""
    if rotation is None:
        return heads
    # (..., T, head_dim / 2) -> (..., T, 1, head_dim / 2)
    rotation = ops.cast(ops.expand_dims(rotation, -2), heads.dtype)
    cos, sin = ops.unstack(rotation, num=2)
    a, b = ops.split(heads, 2, axis=-1)
    return ops.concatenate([a * cos - b * sin, b * cos + a * sin], axis=-1)
