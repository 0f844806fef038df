"""Attention to positions in front of a sequence, which its beams share."""

from keras import ops

from keras_seq2seq.layers.transformer.beams import beams_to_queries
from keras_seq2seq.layers.transformer.beams import beams_to_rows
from keras_seq2seq.ops.attention import LOWEST


def energies_of_prefix(queries, prefix, seen):
    """Float32 energies `(rows, heads, length, Tp)`, lowest where not `seen`.

    Args:
        queries: Float tensor of shape `(rows, heads, length, head_dim)`.
        prefix: Dict of keys and values with the batch in front.
        seen: Boolean tensor of shape `(batch_size, 1, 1, Tp)`.
    """
    batch = ops.shape(prefix["keys"])[0]
    energies = ops.matmul(beams_to_queries(queries, batch), prefix["keys"])
    energies = ops.where(seen, ops.cast(energies, "float32"), LOWEST)
    return beams_to_rows(energies, ops.shape(queries)[2])


def joint_softmax(in_front, energies, seen, bias=None):
    """Softmax over prefix and sequence, where each query sees one at least.

    `bias`, if there is one, is added to the energies of both.
    """
    own = ops.where(seen, ops.cast(energies, "float32"), LOWEST)
    both = ops.concatenate([in_front, own], axis=-1)
    if bias is not None:
        both = both + ops.cast(bias, "float32")
    return ops.cast(ops.softmax(both, axis=-1), energies.dtype)


def joint_bias(in_front, own):
    """The bias of a prefix and of the sequence after it, in one tensor.

    Args:
        in_front: Float tensor of shape `(rows, heads, length, Tp)`, or `None`
            where there is no prefix or no bias.
        own: Float tensor of shape `(heads, length, Tv)`, or `None`.
    """
    if in_front is None:
        return own
    shape = *ops.shape(in_front)[:-1], ops.shape(own)[-1]
    own = ops.broadcast_to(own, shape)
    return ops.concatenate([in_front, own], axis=-1)


def weighted_values(weights, projected, prefix=None):
    """Weighted sum `(rows, heads, length, head_dim)` of the values."""
    if prefix is None:
        return ops.matmul(weights, projected["values"])
    batch, _, places = ops.shape(prefix["values"])[:3]
    in_front = ops.matmul(
        beams_to_queries(weights[..., :places], batch), prefix["values"]
    )
    own = ops.matmul(weights[..., places:], projected["values"])
    return beams_to_rows(in_front, ops.shape(weights)[2]) + own
