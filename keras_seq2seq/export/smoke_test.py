"""Requests that every signature must answer before an export is complete."""

import keras
import numpy as np
import tensorflow as tf


def run_smoke_test(signatures, functions, examples):
    """Raise unless every signature gives finite answers.

    To the examples that a server will be warmed up with, to an empty batch, to
    an empty source, and to the longest one.

    Args:
        signatures: Dict of name -> `Signature`.
        functions: Dict of name -> function of a dict of tensors.
        examples: List of examples of the `ServedSource`.
    """
    for name, signature in signatures.items():
        source = signature.parts.source
        shortest, longest = map(source.made_up, (0, source.max_length))
        for batch in ([], [shortest], [longest], examples):
            request = signature.example(batch)
            _check_answer(name, functions[name], request, signature)


def _check_answer(name, function, request, signature):
    inputs = signature.inputs
    try:
        outputs = function(
            {n: tf.constant(x, inputs[n].dtype) for n, x in request.items()}
        )
    except (tf.errors.OpError, ValueError) as error:
        problem = _problem(name, request, "fails")
        raise ValueError(f"{problem}: {error}") from error
    for output, value in outputs.items():
        if value.dtype.is_floating and not np.isfinite(value).all():
            problem = f"gives a `{output}` that is not finite"
            problem = _problem(name, request, problem)
            weights = _not_finite(signature.parts.task.model)
            raise ValueError(
                f"{problem}. Weights that are not finite: {weights or 'none'}."
            )


def _problem(name, request, problem):
    shapes = {n: x.shape for n, x in request.items()}
    return (
        "Every signature must answer every request. Received: a task whose "
        f"signature {name!r} {problem} at inputs of the shapes {shapes}"
    )


def _not_finite(model):
    """Paths of the weights that hold NaN or infinity."""
    return [
        weight.path
        for weight in model.weights
        if not np.isfinite(keras.ops.convert_to_numpy(weight)).all()
    ]
