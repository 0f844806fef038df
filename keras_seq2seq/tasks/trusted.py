import importlib

import keras

KERAS = ("keras", "builtins")  # where Keras's own configs point
HUB = "keras_hub"  # registers its classes when it is imported


def check_trusted(config):
    """Refuse a config that names a class from anywhere but here.

    A config may name the classes of Keras and KerasHub, and classes that this
    process has registered: ours, and those that a user imported. Nothing but
    KerasHub is imported because a file says so.
    """
    if isinstance(config, list):
        for entry in config:
            check_trusted(entry)
    elif isinstance(config, dict):
        _check_class(config)
        for entry in config.values():
            check_trusted(entry)


def _check_class(config):
    module, name = config.get("module"), config.get("registered_name")
    if not isinstance(module, str) or module.split(".")[0] in KERAS:
        return
    if module.split(".")[0] == HUB:
        _import_hub(config)
    if name not in keras.saving.get_custom_objects():
        raise ValueError(
            "A task folder may name registered classes only. Received: "
            f"class_name={config.get('class_name')!r}, "
            f"registered_name={name!r}. Register it with "
            "`keras.saving.register_keras_serializable`, and import its module "
            "before loading (`--import MODULE` on the command line)."
        )


def _import_hub(config):
    try:
        importlib.import_module(HUB)
    except ImportError as error:
        raise ImportError(
            "A part of this task is KerasHub's. Received: "
            f"class_name={config.get('class_name')!r}, and {error}. "
            "pip install 'keras-seq2seq[hub]'"
        ) from error
