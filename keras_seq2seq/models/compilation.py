"""The one place that decides whether a model is compiled by XLA."""

import keras


def jit_compile():
    """True on JAX, whose steps are always compiled; False elsewhere.

    TensorFlow runs a graph of its own, PyTorch runs eagerly: on these two XLA
    and dynamo compile each shape for longer than they save.
    """
    return keras.backend.backend() == "jax"
