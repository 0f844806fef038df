"""Tensors written at a place, while a loop carries them.

A row of the first axis is one scatter on every backend. Along other axes JAX
has an update of a slice, in place; TensorFlow one that copies the tensor, which
XLA does not compile there (Keras's own is XLA's alone, which no server has);
PyTorch writes rows of a view.
"""

import keras
from keras import ops


def write(x, entry, first, axis):
    """`x` with `entry` along `axis`, from the place `first` on.

    Args:
        x: Tensor.
        entry: Tensor of the shape of `x`, but for `axis`.
        first: Integer or integer scalar, at least 0; `entry` must fit.
        axis: Integer, from 0 on.
    """
    backend = keras.backend.backend()
    return WRITERS.get(backend, _by_rows)(x, entry, first, axis)


def write_time(history, index, entry):
    """`history (time, ...)` with `entry (...)` written at `index`."""
    where = ops.reshape(index, (1, 1))
    return ops.scatter_update(history, where, ops.expand_dims(entry, 0))


def _by_slice(x, entry, first, axis):
    starts = [0] * len(x.shape)
    starts[axis] = first
    return ops.slice_update(x, starts, entry)


def _by_strided_slice(x, entry, first, axis):
    import tensorflow as tf

    def bound(place):
        return tf.stack([place if i == axis else 0 for i in range(rank)])

    rank = len(x.shape)
    others = sum(2**i for i in range(rank) if i != axis)  # from end to end
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
    places = ops.arange(ops.shape(entry)[axis], dtype="int32") + first
    written = ops.scatter_update(
        ops.moveaxis(x, axis, 0),
        ops.expand_dims(places, 1),
        ops.moveaxis(entry, axis, 0),
    )
    return ops.moveaxis(written, 0, axis)


WRITERS = {"jax": _by_slice, "tensorflow": _by_strided_slice}
