"""Strategies by name, config or instance.

A family is its abstract class; its members are the registered subclasses. The
name of `AdditiveScore` in the family `AttentionScore` is `"additive"`: the
class name in snake case, without the family's last word.
"""

import inspect
import re

import keras

from keras_seq2seq.utils.structures import plain


def snake_case(name):
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def names(family):
    """Dict of name -> class for all registered members of `family`."""
    suffix = "_" + snake_case(family.__name__).rsplit("_", 1)[-1]
    members = (
        cls
        for cls in keras.saving.get_custom_objects().values()
        if inspect.isclass(cls) and issubclass(cls, family)
    )
    return {
        snake_case(cls.__name__).removesuffix(suffix): cls for cls in members
    }


def object_of(identifier):
    """The Keras object of a config dict; anything else as it is."""
    if isinstance(identifier, dict):
        # A copy: some of Keras's `from_config` take their config apart.
        return keras.saving.deserialize_keras_object(plain(identifier))
    return identifier


def config_of(identifier):
    """The config dict of a Keras object; a dict as it is."""
    if isinstance(identifier, dict):
        return identifier
    return keras.saving.serialize_keras_object(identifier)


def get(identifier, family, argument, **defaults):
    """Member of `family` for a name, a config dict or an instance.

    Args:
        identifier: String, dict made by `keras.saving.serialize_keras_object`,
            or an instance of `family`.
        family: The abstract class.
        argument: String. The caller's argument, for the error message.
        **defaults: Arguments of a member that is made from its name, such as
            the `dtype` of the layer that it is for.
    """
    identifier = object_of(identifier)
    if isinstance(identifier, family):
        return identifier
    known = names(family)
    if isinstance(identifier, str) and identifier in known:
        return known[identifier](**defaults)
    raise ValueError(
        f"`{argument}` must be one of {sorted(known)}, or an instance or "
        f"config of `{family.__name__}`. Received: {argument}={identifier!r}"
    )
