import importlib
import json

import keras

from keras_seq2seq.utils import registry

KERAS = ("keras", "builtins")  # where Keras's own configs point
HUB = "keras_hub"  # registers its classes when it is imported
MOST_LEVELS = 100  # of nesting; a task has 15, or a few more


def check_trusted(config, level=0):
    """Refuse a config that names a class or function from anywhere but here.

    A config may name those of Keras and KerasHub, and those that this process
    has registered: ours, and those that a user imported. Nothing but KerasHub
    is imported because a file says so.
    """
    if level > MOST_LEVELS:
        raise ValueError(
            f"A config must be nested at most {MOST_LEVELS} levels deep. "
            "Received: one that is deeper."
        )
    if isinstance(config, dict) and isinstance(config.get("class_name"), str):
        _check_named(config)
    for entry in _entries(config):
        check_trusted(entry, level + 1)


def check_loadable(config):
    """Raise unless a config can be loaded again, in words.

    It is trusted, plain JSON, and each layer of Keras and each object of a
    user's own class comes back from its config: they may hold a function.
    """
    check_trusted(config)
    try:
        plain = json.loads(json.dumps(config))
    except TypeError as error:
        raise ValueError(
            "A config must consist of plain values, such as numbers, strings "
            f"and lists. Received: one that does not ({error})."
        ) from error
    own = [node for node, _ in users_own(plain)]
    for node in _named(plain):
        if node in own or node.get("module") == "keras.layers":
            _check_comes_back(node)


def users_own(config):
    """Pairs of a config and what it names, a user's own class or function."""
    own = (*KERAS, HUB, registry.PACKAGE)
    for node in _named(config):
        found = keras.saving.get_registered_object(_name(node))
        if found is not None and found.__module__.split(".")[0] not in own:
            yield node, found


def _check_comes_back(config):
    try:
        registry.object_of(_without_builds(config))
    except Exception as error:
        _, _, why = str(error).rpartition("Exception encountered: ")
        raise ValueError(
            "An object of a saved task must come back from its config. "
            f"Received: one of the class `{config['class_name']}`, where this "
            f"fails ({why}). Let `get_config` give what the constructor "
            "takes, and register functions."
        ) from error


def _named(config):
    """All configs in a config that name a class or a function."""
    if isinstance(config, dict) and isinstance(config.get("class_name"), str):
        yield config
    for entry in _entries(config):
        yield from _named(entry)


def _entries(config):
    if isinstance(config, dict):
        return config.values()
    return config if isinstance(config, (list, tuple)) else ()


def _name(config):
    """What a class or function is registered as."""
    is_function = config["class_name"] == "function"
    name = config.get("config" if is_function else "registered_name")
    return name if isinstance(name, str) else None


def _check_named(config):
    name, module = _name(config), config.get("module")
    package = module.split(".")[0] if isinstance(module, str) else None
    if package == HUB:
        _import_hub(config)
    if name in keras.saving.get_custom_objects() or _is_of_keras(
        config, package
    ):
        return
    raise ValueError(
        "A task folder may name registered classes only, and such functions. "
        f"Received: class_name={config['class_name']!r}, "
        f"registered_name={name!r}. Register it with "
        "`keras.saving.register_keras_serializable`, and import its module "
        "before loading (`--import MODULE` on the command line)."
    )


def _is_of_keras(config, package):
    """Whether a config names what comes with Keras, and no lambda."""
    kind = config["class_name"]
    if kind != "function" or package not in KERAS:
        is_value = kind.startswith("__") and kind != "__lambda__"  # a tuple
        return package in KERAS or (package is None and is_value)
    try:
        keras.saving.deserialize_keras_object(config)  # looks it up
    except (TypeError, ValueError):
        return False
    return True


def _without_builds(config):
    """A config whose layers make no weights."""
    if isinstance(config, dict):
        return {
            name: _without_builds(entry)
            for name, entry in config.items()
            if name != "build_config"
        }
    if isinstance(config, list):
        return [_without_builds(entry) for entry in config]
    return config


def _import_hub(config):
    try:
        importlib.import_module(HUB)
    except ImportError as error:
        raise ImportError(
            "A part of this task is KerasHub's. Received: "
            f"class_name={config.get('class_name')!r}, and {error}. "
            "pip install 'keras-seq2seq[hub]'"
        ) from error
