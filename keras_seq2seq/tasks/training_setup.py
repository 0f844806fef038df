"""What a task was compiled with: configs of our own, and back.

What cannot be loaded again is left out, with a warning.
"""

import contextlib
import json
import warnings

import keras

from keras_seq2seq.models.compilation import steps_per_execution
from keras_seq2seq.tasks.trusted import check_loadable
from keras_seq2seq.utils import registry
from keras_seq2seq.utils.checks import check_type

ARGUMENTS = (
    "loss",
    "loss_weights",
    "metrics",
    "weighted_metrics",
    "steps_per_execution",
)


@contextlib.contextmanager
def not_compiled(model):
    """A model without what it was compiled with, in the block."""
    compiled, model.compiled = model.compiled, False
    try:
        yield
    finally:
        model.compiled = compiled


def serialized(part):
    """Config of a part of a task."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of lambdas, which cannot be loaded
        return keras.saving.serialize_keras_object(part)


def setup_of(model):
    """Dict of `optimizer`, a config, and `training`, configs of the rest.

    Empty where the model is not compiled, or its optimizer is left out.
    """
    optimizer = _kept("optimizer", model.optimizer) if model.compiled else {}
    if not optimizer:
        return {}
    training = {}
    for name in ARGUMENTS:
        training.update(_kept(name, model._compile_config.config[name]))
    return {**optimizer, "training": training}


def _kept(name, part):
    """Dict of a name and the config of a part; empty if it is left out."""
    try:
        config = serialized(part)
        check_loadable(config)
        _made(json.loads(json.dumps(config)))
    except (TypeError, ValueError, NotImplementedError) as error:
        warnings.warn(
            f"The task is saved without its {name}, whose config cannot be "
            f"loaded again: {error}",
            stacklevel=5,
        )
        return {}
    return {name: config}


def _made(config):
    """The part that a config describes."""
    return keras.saving.deserialize_keras_object(config)


def compile_as_saved(task, description):
    """Compile a task as it was; its optimizer has no variables yet."""
    optimizer = check_type(
        registry.object_of(description["optimizer"]),
        "optimizer",
        keras.optimizers.Optimizer,
    )
    training = {
        name: _made(config)
        for name, config in description.get("training", {}).items()
        if name in ARGUMENTS
    }
    if "steps_per_execution" in training:
        steps = training["steps_per_execution"]
        training["steps_per_execution"] = steps_per_execution(steps)
    task.compile(optimizer, **training)
