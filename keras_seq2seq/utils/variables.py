"""Values of variables while JAX trains, which keeps them elsewhere."""

import contextlib

import keras
import numpy as np


def sync_variables(model):
    """Return the model after writing the latest values to its variables.

    During an epoch under JAX, Keras keeps them outside of the variables.
    """
    if hasattr(model, "jax_state_sync"):
        model.jax_state_sync()
    return model


def all_variables(model):
    """List of the variables of a model, its metrics and its optimizer."""
    variables = [*model.variables, *model.metrics_variables]
    if getattr(model, "optimizer", None) is not None:
        variables += model.optimizer.variables
    return variables


@contextlib.contextmanager
def restore_variables(model):
    """Context manager that restores variables lost in a failed training step.

    JAX moves the values out of the variables while it trains, so an error in
    the first step leaves the variables empty. Variables that still have a value
    keep it: an interrupted training loses nothing.
    """
    kept = [(variable, _copy(variable)) for variable in all_variables(model)]
    try:
        yield
    except BaseException:
        for variable, value in kept:
            if variable._value is None or _is_deleted(variable._value):
                variable._value = variable._convert_to_tensor(
                    value, dtype=variable.dtype
                )
        raise


def _copy(variable):
    return np.array(keras.ops.convert_to_numpy(variable))


def _is_deleted(value):
    return getattr(value, "is_deleted", lambda: False)()
