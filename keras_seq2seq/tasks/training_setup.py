"""Saves and restores the arguments that a task was compiled with.

Parts that cannot be loaded again are left out with a warning. The model is not
changed, as other threads may use it.
"""

import contextlib
import json
import threading
import warnings

import keras

from keras_seq2seq.models.compilation import steps_per_execution
from keras_seq2seq.tasks.trusted import check_loadable
from keras_seq2seq.utils import registry
from keras_seq2seq.utils.caller import warn_caller
from keras_seq2seq.utils.checks import check_type

ARGUMENTS = (
    "loss",
    "loss_weights",
    "metrics",
    "weighted_metrics",
    "steps_per_execution",
)
NOT_COMPILED = (
    " The loaded task is not compiled, so that its loss, loss_weights, "
    "metrics, weighted_metrics and steps_per_execution are not kept either. "
    "Compile it again."
)
FILTERS = threading.RLock()  # of warnings, which all threads share


def config_of_model(model):
    """Config of a model, without its compile config."""
    with _ignore_warnings():
        parts = {
            "config": model.get_config(),
            "build_config": model.get_build_config(),
        }
    return {
        "module": type(model).__module__,
        "class_name": type(model).__name__,
        "registered_name": keras.saving.get_registered_name(type(model)),
        **serialize(parts),
    }


def serialize(part):
    """Serialize a part of a task."""
    with _ignore_warnings():
        return keras.saving.serialize_keras_object(part)


@contextlib.contextmanager
def _ignore_warnings():
    """Ignore Keras's warnings about lambdas; they raise later."""
    with FILTERS, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def get_setup(model):
    """Dict of `optimizer`, a config, and `training`, configs of the rest.

    Empty if the model is not compiled or its optimizer cannot be saved: a task
    without an optimizer is loaded without being compiled.
    """
    if not model.compiled:
        return {}
    optimizer = _try_serialize(
        "optimizer", model.optimizer, keras.optimizers.Optimizer, NOT_COMPILED
    )
    if not optimizer:
        return {}
    for lost in _describe_losses(model):
        warn_caller(lost)
    training = {}
    for name in ARGUMENTS:
        training.update(
            _try_serialize(name, model._compile_config.config[name])
        )
    return {**optimizer, "training": training}


def state_fits(model):
    """Whether the optimizer's state belongs to the current trainable weights.

    An optimizer without a state always fits.
    """
    optimizer = model.optimizer
    if not optimizer.built:
        return True
    built = [id(x) for x in optimizer._trainable_variables]
    return built == [id(x) for x in model.trainable_variables]


def _describe_losses(model):
    """Yield messages about parts of an optimizer that are not saved."""
    optimizer = getattr(model.optimizer, "inner_optimizer", model.optimizer)
    excluded = "_exclude_from_weight_decay"
    excluded = [
        getattr(optimizer, excluded + x, None) for x in ("", "_pattern")
    ]
    if optimizer.weight_decay and any(excluded):
        yield (
            "The config of an optimizer does not keep "
            "`exclude_from_weight_decay`: the loaded task decays all weights. "
            "Compile it again with an optimizer that excludes them."
        )
    if not state_fits(model):
        yield (
            "The task is saved without the state of its optimizer, which "
            "belongs to other weights than the current trainable ones: the "
            "loaded optimizer starts anew. Compile a task again after "
            "freezing or unfreezing layers."
        )


def _try_serialize(name, part, kind=object, then=""):
    """Dict of name -> config of a part, or empty with a warning."""
    try:
        check_type(part, name, kind)
        config = serialize(part)
        check_loadable(config)
        _deserialize(json.loads(json.dumps(config)))
    except (TypeError, ValueError, NotImplementedError) as error:
        warn_caller(
            f"The task is saved without its {name}, whose config cannot be "
            f"loaded again: {error}{then}"
        )
        return {}
    return {name: config}


def _deserialize(config):
    """Deserialize a part of a task."""
    return keras.saving.deserialize_keras_object(config)


def compile_as_saved(task, description):
    """Compile a task as when it was saved; its optimizer is not built."""
    optimizer = check_type(
        registry.object_of(description["optimizer"]),
        "optimizer",
        keras.optimizers.Optimizer,
    )
    training = {
        name: _deserialize(config)
        for name, config in description.get("training", {}).items()
        if name in ARGUMENTS
    }
    if "steps_per_execution" in training:
        steps = training["steps_per_execution"]
        training["steps_per_execution"] = steps_per_execution(steps)
    task.compile(optimizer, **training)
