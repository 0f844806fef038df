"""What a task was compiled with: configs of our own, and back.

What cannot be loaded again is left out, with a warning. Nothing of the model
is changed for it: other threads may use it.
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
    """Config of a model, without what it was compiled with."""
    with _no_warnings():
        parts = {
            "config": model.get_config(),
            "build_config": model.get_build_config(),
        }
    return {
        "module": type(model).__module__,
        "class_name": type(model).__name__,
        "registered_name": keras.saving.get_registered_name(type(model)),
        **serialized(parts),
    }


def serialized(part):
    """Config of a part of a task."""
    with _no_warnings():
        return keras.saving.serialize_keras_object(part)


@contextlib.contextmanager
def _no_warnings():
    """Keras warns of lambdas, which cannot be loaded: that is said later."""
    with FILTERS, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def setup_of(model):
    """Dict of `optimizer`, a config, and `training`, configs of the rest.

    Empty where the model is not compiled, or its optimizer is left out: a
    task without one is loaded as one that is not compiled.
    """
    if not model.compiled:
        return {}
    optimizer = _kept(
        "optimizer", model.optimizer, keras.optimizers.Optimizer, NOT_COMPILED
    )
    if not optimizer:
        return {}
    for lost in _lost(model):
        warn_caller(lost)
    training = {}
    for name in ARGUMENTS:
        training.update(_kept(name, model._compile_config.config[name]))
    return {**optimizer, "training": training}


def state_fits(model):
    """Whether the optimizer's state is of the weights trainable now.

    One that has no state yet fits.
    """
    optimizer = model.optimizer
    if not optimizer.built:
        return True
    built = [id(x) for x in optimizer._trainable_variables]
    return built == [id(x) for x in model.trainable_variables]


def _lost(model):
    """Yield in words what the config or the state of an optimizer lacks."""
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
            "The task is saved without the state of its optimizer, which is "
            "of other weights than those that are trainable now: the loaded "
            "optimizer starts anew. Compile a task again after its layers "
            "are frozen or unfrozen."
        )


def _kept(name, part, kind=object, then=""):
    """Dict of a name and the config of a part; empty if it is left out."""
    try:
        check_type(part, name, kind)
        config = serialized(part)
        check_loadable(config)
        _made(json.loads(json.dumps(config)))
    except (TypeError, ValueError, NotImplementedError) as error:
        warn_caller(
            f"The task is saved without its {name}, whose config cannot be "
            f"loaded again: {error}{then}"
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
