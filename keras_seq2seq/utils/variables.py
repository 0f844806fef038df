"""Variables that have their values, whatever a backend does with them."""

import contextlib

import keras
import numpy as np


def with_values(model):
    """The model, its variables filled with what training has learned so far.

    Under JAX Keras keeps that outside the variables until an epoch ends.
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
def kept_variables(model):
    """Give a model back the values that a failed training step took away.

    JAX moves the values out of the variables while it trains; an error in the
    first step leaves them empty. Variables that still have a value keep it, so
    an interrupted training loses nothing.
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
