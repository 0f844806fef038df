import contextlib

import keras


@contextlib.contextmanager
def eagerly():
    """TensorFlow traces nothing: for what is around a model."""
    if keras.backend.backend() != "tensorflow":
        yield
        return
    import tensorflow as tf

    before = tf.config.functions_run_eagerly()
    tf.config.run_functions_eagerly(True)
    try:
        yield
    finally:
        tf.config.run_functions_eagerly(before)


def op_by_op():
    """Nothing is traced: for many models of few ops, all of the same shapes.

    JAX compiles each op once for all models, and no loop of any of them. Where
    the ops are many, as in a search, this takes longer than compiling.
    """
    if keras.backend.backend() != "jax":
        return eagerly()
    import jax

    return jax.disable_jit()
