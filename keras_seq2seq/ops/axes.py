"""Sizes that must agree, in a graph too."""

import keras
from keras import ops

from keras_seq2seq.utils.axes import check_axes


def ensure_axes(tensors, axes):
    """The tensors, or an error where axes of one name have several sizes.

    Sizes that a graph of TensorFlow does not know yet are compared where it
    runs, before what it gives is used. JAX and PyTorch know all of them.

    Args:
        tensors, axes: As for `keras_seq2seq.utils.axes.check_axes`.

    Returns:
        Dict like `tensors`.
    """
    unknown = check_axes(tensors, axes)
    if not unknown or keras.backend.backend() != "tensorflow":
        return tensors
    if not all(ops.is_tensor(tensors[name]) for (name, _), *_ in unknown):
        return tensors  # a functional model is being built
    import tensorflow as tf

    checks = [
        tf.debugging.assert_equal(
            tf.shape(tensors[name])[place],
            tf.shape(tensors[first])[first_place],
            f"`{name}` must have the {axes[name][place]} of `{first}`.",
        )
        for (first, first_place), *others in unknown
        for name, place in others
    ]
    with tf.control_dependencies([x for x in checks if x is not None]):
        return {
            name: tf.identity(x) if ops.is_tensor(x) else x
            for name, x in tensors.items()
        }
