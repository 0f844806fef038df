import importlib
import json

import keras

from keras_seq2seq.utils import registry

KERAS = ("keras", "builtins")  # modules in Keras's own configs
HUB = "keras_hub"  # registers its classes when imported
MOST_LEVELS = 100  # of nesting; a task has about 15


def check_trusted(config, level=0):
    """Raise if a config names a class or function that is not trusted.

    Trusted are those of Keras and KerasHub, and those registered in this
    process: this package's own and those that a user imported. A file cannot
    cause any import other than KerasHub.
    """
    if level > MOST_LEVELS:
        raise ValueError(
            f"A config must be nested at most {MOST_LEVELS} levels deep. "
            "Received: one that is deeper."
        )
    if isinstance(config, dict) and isinstance(config.get("class_name"), str):
        _check_named(config)
    for entry in _get_entries(config):
        check_trusted(entry, level + 1)


def check_loadable(config):
    """Raise unless a config can be loaded again.

    It must be trusted and plain JSON. Each Keras layer and each object of a
    user's own class is also deserialized, as it may contain a function.
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
    for node in _find_named(plain):
        if node in own or node.get("module") == "keras.layers":
            _check_round_trip(node)


def users_own(config):
    """Yield pairs of a config and the user's own class or function it names."""
    own = (*KERAS, HUB, registry.PACKAGE)
    for node in _find_named(config):
        named = keras.saving.get_registered_object(_get_name(node))
        if named is not None and named.__module__.split(".")[0] not in own:
            yield node, named


def _check_round_trip(config):
    try:
        registry.object_of(_remove_build_configs(config))
    except Exception as error:
        _, _, why = str(error).rpartition("Exception encountered: ")
        raise ValueError(
            "An object of a saved task must be restored by its config. "
            f"Received: one of the class `{config['class_name']}`, where this "
            f"fails ({why}). Make `get_config` return all constructor "
            "arguments, and register functions."
        ) from error


def _find_named(config):
    """Yield all nested configs that name a class or a function."""
    if isinstance(config, dict) and isinstance(config.get("class_name"), str):
        yield config
    for entry in _get_entries(config):
        yield from _find_named(entry)


def _get_entries(config):
    if isinstance(config, dict):
        return config.values()
    return config if isinstance(config, (list, tuple)) else ()


def _get_name(config):
    """Registered name of the class or function in a config."""
    is_function = config["class_name"] == "function"
    name = config.get("config" if is_function else "registered_name")
    return name if isinstance(name, str) else None


def _check_named(config):
    name, module = _get_name(config), config.get("module")
    package = module.split(".")[0] if isinstance(module, str) else None
    if package == HUB:
        _import_hub(config)
    if name in keras.saving.get_custom_objects() or _is_of_keras(
        config, package
    ):
        return
    raise ValueError(
        "A task folder may only name registered classes and functions. "
        f"Received: class_name={config['class_name']!r}, "
        f"registered_name={name!r}. Register it with "
        "`keras.saving.register_keras_serializable`, and import its module "
        "before loading (`--import MODULE` on the command line)."
    )


def _is_of_keras(config, package):
    """Whether a config names a part of Keras, and not a lambda."""
    kind = config["class_name"]
    if kind != "function" or package not in KERAS:
        is_value = kind.startswith("__") and kind != "__lambda__"  # a tuple
        return package in KERAS or (package is None and is_value)
    try:
        keras.saving.deserialize_keras_object(config)  # looks it up
    except (TypeError, ValueError):
        return False
    return True


def _remove_build_configs(config):
    """Remove build configs, so that layers do not create weights."""
    if isinstance(config, dict):
        return {
            name: _remove_build_configs(entry)
            for name, entry in config.items()
            if name != "build_config"
        }
    if isinstance(config, list):
        return [_remove_build_configs(entry) for entry in config]
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
