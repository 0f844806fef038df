"""Attention to places in front of a sequence, which its beams share."""

from keras import ops

from keras_seq2seq.layers.transformer.beams import among_queries
from keras_seq2seq.layers.transformer.beams import among_rows
from keras_seq2seq.ops.attention import LOWEST


def energies_of_prefix(queries, prefix, seen):
    """Float32 energies `(rows, heads, length, Tp)`, lowest where not `seen`.

    Args:
        queries: Float tensor of shape `(rows, heads, length, head_dim)`.
        prefix: Dict of keys and values with the batch in front.
        seen: Boolean tensor of shape `(batch_size, 1, 1, Tp)`.
    """
    batch = ops.shape(prefix["keys"])[0]
    energies = ops.matmul(among_queries(queries, batch), prefix["keys"])
    energies = ops.where(seen, ops.cast(energies, "float32"), LOWEST)
    return among_rows(energies, ops.shape(queries)[2])


def joint_softmax(in_front, energies, seen):
    """Softmax over prefix and sequence, where each query sees one at least."""
    own = ops.where(seen, ops.cast(energies, "float32"), LOWEST)
    both = ops.softmax(ops.concatenate([in_front, own], axis=-1), axis=-1)
    return ops.cast(both, energies.dtype)


def weighted_values(weights, projected, prefix=None):
    """Weighted sum `(rows, heads, length, head_dim)` of the values."""
    if prefix is None:
        return ops.matmul(weights, projected["values"])
    batch, _, places = ops.shape(prefix["values"])[:3]
    in_front = ops.matmul(
        among_queries(weights[..., :places], batch), prefix["values"]
    )
    own = ops.matmul(weights[..., places:], projected["values"])
    return among_rows(in_front, ops.shape(weights)[2]) + own
