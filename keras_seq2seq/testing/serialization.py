import inspect
import json

import keras

from keras_seq2seq.testing.checks import check
from keras_seq2seq.utils.configs import config_changes

PLAIN = (bool, int, float, str, type(None))
# What Keras notes on a layer while it is built, compiled and trained.
OF_KERAS = (
    "built",
    "compiled",
    "jit_compile",
    "loss",
    "run_eagerly",
    "steps_per_execution",
    "stop_training",
    "training",
    "unrolled_steps_per_execution",
)


def run_serialization_test(instance):
    """Check that an object can be made again from its config.

    The config has every argument of the constructor, survives JSON, and gives
    an object of the same class, of the same config and of equal plain
    attributes, both by `from_config` and by Keras's deserialization.

    Args:
        instance: Any object with `get_config`, such as a layer or a search.

    Returns:
        The object made from the config.

    Example:

    >>> search = k2s.search.BeamSearch(num_beams=3)
    >>> k2s.testing.run_serialization_test(search).num_beams
    3
    """
    config = instance.get_config()
    missing = sorted(_arguments(type(instance)) - set(config))
    check(not missing, f"`get_config` lacks the arguments {missing}.")
    revived = type(instance).from_config(instance.get_config())
    _check_equal(revived, instance)
    text = json.dumps(keras.saving.serialize_keras_object(instance))
    again = keras.saving.deserialize_keras_object(json.loads(text))
    check(
        type(again) is type(instance),
        f"Deserialization gave a `{type(again).__name__}`.",
    )
    _check_equal(again, instance)
    return revived


def _arguments(cls):
    named = (
        inspect.Parameter.POSITIONAL_OR_KEYWORD,
        inspect.Parameter.KEYWORD_ONLY,
    )
    parameters = inspect.signature(cls).parameters.values()
    return {p.name for p in parameters if p.kind in named}


def _check_equal(revived, instance):
    before, after = (
        json.loads(json.dumps(keras.saving.serialize_keras_object(x)))
        for x in (instance, revived)
    )
    changes = config_changes(before["config"], after["config"])
    check(not changes, f"The config changed: {'; '.join(changes)}.")
    for name, value in vars(instance).items():
        if name.startswith("_") or name in OF_KERAS:
            continue
        if type(value) not in PLAIN:
            continue
        check(
            getattr(revived, name) == value,
            f"`{name}` was {value!r} and became {getattr(revived, name)!r}.",
        )
