"""Writes to slices of tensors that a loop carries.

Along the first axis, one scatter works on every backend. Along other axes, JAX
updates a slice in place. TensorFlow uses an op that copies the tensor, since
Keras's `slice_update` needs XLA there, which a server does not have. PyTorch
scatters into a transposed view.
"""

import keras
from keras import ops


def write(x, entry, first, axis):
    """Return `x` with `entry` written along `axis`, from index `first`.

    Args:
        x: Tensor.
        entry: Tensor of the shape of `x`, except along `axis`.
        first: Integer or integer scalar, at least 0. `entry` must fit in `x`.
        axis: Non-negative integer.
    """
    backend = keras.backend.backend()
    return WRITERS.get(backend, _by_rows)(x, entry, first, axis)


def write_time(history, index, entry):
    """Return `history (time, ...)` with `entry (...)` written at `index`."""
    where = ops.reshape(index, (1, 1))
    return ops.scatter_update(history, where, ops.expand_dims(entry, 0))


def _by_slice(x, entry, first, axis):
    starts = [0] * len(x.shape)
    starts[axis] = first
    return ops.slice_update(x, starts, entry)


def _by_strided_slice(x, entry, first, axis):
    import tensorflow as tf

    def bound(index):
        return tf.stack([index if i == axis else 0 for i in range(rank)])

    rank = len(x.shape)
    others = sum(2**i for i in range(rank) if i != axis)  # whole axes
    first = tf.cast(first, "int32")
    return tf.raw_ops.TensorStridedSliceUpdate(
        input=x,
        begin=bound(first),
        end=bound(first + tf.shape(entry)[axis]),
        strides=[1] * rank,
        value=entry,
        begin_mask=others,
        end_mask=others,
    )


def _by_rows(x, entry, first, axis):
    positions = ops.arange(ops.shape(entry)[axis], dtype="int32") + first
    written = ops.scatter_update(
        ops.moveaxis(x, axis, 0),
        ops.expand_dims(positions, 1),
        ops.moveaxis(entry, axis, 0),
    )
    return ops.moveaxis(written, 0, axis)


WRITERS = {"jax": _by_slice, "tensorflow": _by_strided_slice}
