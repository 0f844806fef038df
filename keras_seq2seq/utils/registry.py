"""Strategies by name, config or instance.

A family is its abstract class; its members are the registered subclasses. The
name of `AdditiveScore` in the family `AttentionScore` is `"additive"`: the
class name in snake case, without the family's last word. Where several classes
have one name it means the package's own; the others are reached by instance or
config. A class may have further names, each with arguments: its `aliases`.
"""

import inspect
import re
import warnings

import keras

from keras_seq2seq.utils.structures import plain

PACKAGE = "keras_seq2seq"  # what the package's own classes are registered in


def snake_case(name):
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def names(family):
    """Dict of name -> class for all registered members of `family`."""
    return {name: classes[0] for name, classes in _members(family).items()}


def class_of(name, family, argument):
    """The member of `family` with a name.

    Warns where a class of another package has that name too; raises where no
    member has it, or several of other packages.

    Args:
        name: String.
        family: The abstract class.
        argument: String. The caller's argument, for the error message.
    """
    members = _members(family)
    aliases = _aliases(members)
    if isinstance(name, str) and name not in members and name in aliases:
        return aliases[name][0]
    if not isinstance(name, str) or name not in members:
        raise ValueError(
            f"`{argument}` must be one of {sorted({*members, *aliases})}, or "
            f"an instance or config of `{family.__name__}`. Received: "
            f"{argument}={name!r}"
        )
    first, *others = members[name]
    if others:
        known = [keras.saving.get_registered_name(x) for x in members[name]]
        if not is_own(first):
            raise ValueError(
                f"`{argument}` must name one class. Received: "
                f"{argument}={name!r}, which may be any of {known}. Give an "
                "instance, or rename one of the classes."
            )
        warnings.warn(
            f"{argument}={name!r} means `{known[0]}`, not {known[1:]}. Give an "
            "instance of the other class, or rename it.",
            stacklevel=2,
        )
    return first


def _aliases(members):
    """Dict of further name -> class and its arguments."""
    return {
        name: (classes[0], arguments)
        for classes in members.values()
        for name, arguments in vars(classes[0]).get("aliases", {}).items()
    }


def is_own(cls):
    """Whether a class is registered as one of the package's own."""
    return keras.saving.get_registered_name(cls).startswith(f"{PACKAGE}>")


def _members(family):
    """Dict of name -> list of registered classes, the package's own first."""
    _check_not_replaced(family)
    suffix = "_" + snake_case(family.__name__).rsplit("_", 1)[-1]
    members = {}
    for cls in keras.saving.get_custom_objects().values():
        if inspect.isclass(cls) and issubclass(cls, family):
            name = snake_case(cls.__name__).removesuffix(suffix)
            known = members.setdefault(name, [])
            if cls not in known:  # a class may be registered twice
                known.insert(0 if is_own(cls) else len(known), cls)
    return members


def _check_not_replaced(family):
    """Raise where another class took the registered name of an own one."""
    for cls in family.__subclasses__():
        name = keras.saving.get_registered_name(cls)
        found = keras.saving.get_registered_object(name) or cls
        replaced = is_own(cls) and found is not cls
        if replaced and found.__module__.split(".")[0] != PACKAGE:
            raise ValueError(
                f"The package {PACKAGE!r} must hold the library's own classes. "
                f"Received: `{found.__module__}.{found.__name__}`, registered "
                f"as `{name}`. Register it in a package of your own."
            )
        _check_not_replaced(cls)


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
    cls = class_of(identifier, family, argument)
    arguments = vars(cls).get("aliases", {}).get(identifier, {})
    return cls(**{**defaults, **arguments})
