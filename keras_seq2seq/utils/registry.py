"""Looks up strategies by name, config or instance.

A family is an abstract class; its members are the registered subclasses. A
member's name is its class name in snake case without the family's last word:
`AdditiveScore` in the family `AttentionScore` is `"additive"`. If several
classes share a name, it means the package's own; the others must be passed as
an instance or config. A class may list further names, with constructor
arguments for each, in `aliases`.
"""

import inspect
import re
import warnings

import keras

from keras_seq2seq.utils.structures import plain

PACKAGE = "keras_seq2seq"  # the package name of registered classes


def snake_case(name):
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def names(family):
    """Dict of name -> class for all registered members of `family`."""
    return {name: classes[0] for name, classes in _members(family).items()}


def class_of(name, family, argument):
    """The class in `family` called `name`.

    Warns if a class of another package has the same name. Raises if no class
    has it, or if several classes of other packages do.

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
    """Dict of alias -> class and constructor arguments."""
    return {
        name: (classes[0], arguments)
        for classes in members.values()
        for name, arguments in vars(classes[0]).get("aliases", {}).items()
    }


def is_own(cls):
    """Whether a class is registered in this package."""
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
    """Raise if another class has taken a registered name of this package."""
    for cls in family.__subclasses__():
        name = keras.saving.get_registered_name(cls)
        other = keras.saving.get_registered_object(name) or cls
        replaced = is_own(cls) and other is not cls
        if replaced and other.__module__.split(".")[0] != PACKAGE:
            raise ValueError(
                f"The package {PACKAGE!r} must hold the library's own classes. "
                f"Received: `{other.__module__}.{other.__name__}`, registered "
                f"as `{name}`. Register it in a package of your own."
            )
        _check_not_replaced(cls)


def object_of(identifier):
    """Deserialize a config dict; return anything else unchanged."""
    if isinstance(identifier, dict):
        # A copy, as some `from_config` methods of Keras modify their config.
        return keras.saving.deserialize_keras_object(plain(identifier))
    return identifier


def config_of(identifier):
    """Serialize a Keras object; return a dict unchanged."""
    if isinstance(identifier, dict):
        return identifier
    return keras.saving.serialize_keras_object(identifier)


def get(identifier, family, argument, **defaults):
    """Instance of `family` for a name, a config dict or an instance.

    Args:
        identifier: String, dict made by `keras.saving.serialize_keras_object`,
            or an instance of `family`.
        family: The abstract class.
        argument: String. The caller's argument, for the error message.
        **defaults: Constructor arguments for an instance created by name, such
            as the `dtype` of the calling layer.
    """
    identifier = object_of(identifier)
    if isinstance(identifier, family):
        return identifier
    cls = class_of(identifier, family, argument)
    arguments = vars(cls).get("aliases", {}).get(identifier, {})
    return cls(**{**defaults, **arguments})
