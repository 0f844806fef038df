import keras
import numpy as np
from keras import ops

from keras_seq2seq.layers.transformer.position import Position
from keras_seq2seq.layers.transformer.position import positions
from keras_seq2seq.utils.sizes import check_dimension


@keras.saving.register_keras_serializable("keras_seq2seq")
class RelativePosition(Position):
    """Learned biases of self-attention, by the distance of query and key.

    `energy_ij = q_i^T k_j / sqrt(head_dim) + table[bucket(i - j), head]`, with
    one table for all blocks of an encoder or decoder. The inputs stay as they
    are, and attention to the memory has no bias.

    Half of the buckets hold one distance each, `0, 1, 2, ...`; the others grow
    with the logarithm of the distance up to `max_distance`, and the last holds
    all that is farther. Where no query sees a later position, all buckets are
    for keys in front of it; otherwise half of them are for keys behind it, of
    which the one for the distance 0 stays unused, as in T5. A sequence may be
    longer than any in training. (T5 leaves out the root of `head_dim`: it is
    in the first values of its weights.)

    Args:
        num_buckets: Even integer, at least 4. Defaults to `32`.
        max_distance: Integer above half of `num_buckets`. Defaults to `128`.
        num_heads: Integer, of the blocks, or `1` for biases that all heads
            share. Defaults to `None`, as many as the blocks have.

    Call arguments:
        inputs: Float tensor of shape `(batch_size, length, dim)`.

    Returns:
        `inputs`.

    Example:

    >>> position = k2s.layers.RelativePosition()
    >>> position.build_for((None, None, 8), num_heads=2)
    >>> tuple(position.bias(query_length=3, key_length=5).shape)
    (2, 3, 5)

    References:
        - [Raffel et al., 2020](https://arxiv.org/abs/1910.10683), section 2.1
        - [Shaw et al., 2018](https://arxiv.org/abs/1803.02155), the idea, with
          a vector for each distance
    """

    def __init__(
        self, num_buckets=32, max_distance=128, *, num_heads=None, **kwargs
    ):
        super().__init__(**kwargs)
        self.num_buckets = check_dimension(num_buckets, "num_buckets", least=4)
        self.max_distance = check_dimension(max_distance, "max_distance")
        if num_buckets % 2 or max_distance <= num_buckets // 2:
            raise ValueError(
                "`num_buckets` must be even, and `max_distance` more than half "
                f"of it. Received: num_buckets={num_buckets}, "
                f"max_distance={max_distance}. Change one of them."
            )
        if num_heads is not None:
            check_dimension(num_heads, "num_heads")
        self.num_heads = num_heads

    def build_for(self, inputs_shape, num_heads):
        if self.num_heads is None:
            self.num_heads = num_heads
        if self.num_heads not in (1, num_heads):
            raise ValueError(
                "Relative positions must have the heads of the blocks, "
                f"{num_heads}, or 1 for all. Received: position with "
                f"num_heads={self.num_heads}. Leave `num_heads` out, or give "
                "each encoder and decoder positions of its own."
            )
        super().build_for(inputs_shape, num_heads)

    def build(self, inputs_shape):
        self.num_heads = self.num_heads or 1
        self.table = self.add_weight(
            shape=(self.num_buckets, self.num_heads),
            initializer=keras.initializers.RandomNormal(stddev=0.02),
            name="table",
        )

    def bias(self, query_length, key_length, first=0, *, is_causal=False):
        queries = ops.expand_dims(positions(query_length, first), -1)
        distances = queries - positions(key_length, 0)
        most = self.max_distance
        buckets = ops.take(
            bucket_by_distance(self.num_buckets, most, is_causal),
            ops.clip(distances, -most, most) + most,
        )
        # (..., Tq, Tk, heads) -> (..., heads, Tq, Tk)
        return ops.moveaxis(ops.take(self.table, buckets, axis=0), -1, -3)

    def get_config(self):
        return {
            **super().get_config(),
            "num_buckets": self.num_buckets,
            "max_distance": self.max_distance,
            "num_heads": self.num_heads,
        }


def bucket_by_distance(num_buckets, max_distance, is_causal):
    """Buckets of the distances `-max_distance .. max_distance`, as an array.

    The distance is that of a query from a key in front of it; negative, of a
    key behind it, which has the bucket of distance 0 where `is_causal`.
    """
    count = num_buckets if is_causal else num_buckets // 2
    exact = count // 2
    steps = np.geomspace(exact, max_distance, count - exact + 1)[:-1]
    least = np.concatenate([np.arange(exact), steps]) - 1e-6  # of each bucket
    ahead = np.searchsorted(least, np.arange(max_distance + 1), "right") - 1
    behind = np.zeros_like(ahead) if is_causal else ahead + count
    return np.concatenate([behind[:0:-1], ahead]).astype("int32")
