"""Requests that every export must answer before its folder appears."""

import keras
import numpy as np
import tensorflow as tf

from keras_seq2seq.export.examples import made_up


def check_answers(served, functions, texts):
    """Raise unless every signature gives finite answers.

    To the texts that the server will be warmed up with, to none at all, to an
    empty one, and to one as long as may be.

    Args:
        served: Dict of name -> `Signature`.
        functions: Dict of name -> `tf.function`.
        texts: List of strings.
    """
    for name, signature in served.items():
        parts = signature.parts
        longest = made_up(parts.task.source_tokenizer, parts.max_source_length)
        for batch in ([], [""], [longest], texts):
            inputs = signature.example(batch)
            _check(name, functions[name], inputs, signature)


def _check(name, function, inputs, signature):
    specs = signature.specs
    try:
        found = function(
            {n: tf.constant(x, specs[n].dtype) for n, x in inputs.items()}
        )
    except (tf.errors.OpError, ValueError) as error:
        problem = _problem(name, inputs, "fails")
        raise ValueError(f"{problem}: {error}") from error
    for output, value in found.items():
        if value.dtype.is_floating and not np.isfinite(value).all():
            problem = f"gives a `{output}` that is not finite"
            problem = _problem(name, inputs, problem)
            weights = _not_finite(signature.parts.task.model)
            raise ValueError(
                f"{problem}. Weights that are not finite: {weights or 'none'}."
            )


def _problem(name, inputs, problem):
    shapes = {n: x.shape for n, x in inputs.items()}
    return (
        "Every signature must answer every request. Received: a task whose "
        f"signature {name!r} {problem} at inputs of the shapes {shapes}"
    )


def _not_finite(model):
    """Paths of the weights that hold something else than numbers."""
    return [
        weight.path
        for weight in model.weights
        if not np.isfinite(keras.ops.convert_to_numpy(weight)).all()
    ]
