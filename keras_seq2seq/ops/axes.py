"""Checks of shapes that also run inside a TensorFlow graph."""

import keras
from keras import ops

from keras_seq2seq.utils.axes import check_axes


def ensure_axes(tensors, axes):
    """Return the tensors; raise unless axes with the same name agree in size.

    Sizes that are unknown while TensorFlow traces a graph are compared when the
    graph runs. JAX and PyTorch always know all sizes.

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
            tf.shape(tensors[name])[axis],
            tf.shape(tensors[first])[first_axis],
            f"`{name}` must have the {axes[name][axis]} of `{first}`.",
        )
        for (first, first_axis), *others in unknown
        for name, axis in others
    ]
    with tf.control_dependencies([x for x in checks if x is not None]):
        return {
            name: tf.identity(x) if ops.is_tensor(x) else x
            for name, x in tensors.items()
        }
