"""Reads and checks the JSON file in a task's folder."""

import inspect
import json

import keras

from keras_seq2seq.tasks.trusted import check_trusted
from keras_seq2seq.tasks.weights_file import WeightsFile
from keras_seq2seq.utils import registry
from keras_seq2seq.utils.files import check_path
from keras_seq2seq.utils.files import read_text
from keras_seq2seq.utils.files import sha256
from keras_seq2seq.utils.unfinished import put_back

FORMAT = 3
OWN = f"{registry.PACKAGE}>"
DESCRIPTION = "keras_seq2seq.json"
WEIGHTS = "model.weights.h5"
UNREADABLE = (OSError, ValueError, RecursionError)


def saved_name(cls):
    """Registered name of a class, without the prefix of this package."""
    return keras.saving.get_registered_name(cls).removeprefix(OWN)


def saved_class(name, family):
    """Registered class with a name from a folder, or `None`."""
    for name in (name, f"{OWN}{name}"):
        cls = keras.saving.get_registered_object(name)
        if inspect.isclass(cls) and issubclass(cls, family):
            return cls
    return None


def class_name(folder):
    """Name of the class in a folder, or `None`; nothing else is checked."""
    try:
        description = _read(check_path(folder))
    except UNREADABLE:
        return None
    name = description.get("class") if isinstance(description, dict) else None
    return name if isinstance(name, str) else None


def read_description(folder, cls):
    """Read the description in a folder; raise unless it is a valid `cls`."""
    try:
        description = _read(folder)
    except UNREADABLE as error:
        raise ValueError(
            f"`folder` must hold a saved task, with {DESCRIPTION}. Received: "
            f"folder={str(folder)!r}, where it cannot be read ({error}). Pass "
            "a folder that `save` wrote, not an exported model."
        ) from error
    _check_keys(description, folder)
    check_trusted(description)
    if description["class"] != saved_name(cls):
        raise ValueError(
            f"The folder must hold a `{cls.__name__}`. Received: "
            f"class={description['class']!r}. If that class is your own, "
            "import its module first."
        )
    parts = _get_parts(_convert_format(description), cls, folder)
    problem = _find_problem(folder / WEIGHTS, description["sha256"][WEIGHTS])
    if problem:
        raise ValueError(
            f"{WEIGHTS} must hold the weights of the model, as `save` wrote "
            f"them. Received: folder={str(folder)!r}, where {WEIGHTS} "
            f"{problem}. Copy the folder again."
        )
    return {**description, "parts": parts}


def _convert_format(description):
    """Convert a description from an earlier format to this one."""
    old = description["format"] < 3 and description["class"] == "TextCompletion"
    if not old or "target_tokenizer" not in description:
        return description
    # Earlier formats wrote the tokenizer once for each side.
    return {**description, "tokenizer": description["target_tokenizer"]}


def _get_parts(description, cls, folder):
    """Dict of constructor argument -> config."""
    arguments = inspect.signature(cls).parameters
    for name, argument in arguments.items():
        needed = argument.default is argument.empty
        _check_whole(name in description or not needed, folder)
    return {n: description[n] for n in arguments if n in description}


def _find_problem(path, digest):
    """Describe what is wrong with a file of weights, or return `None`."""
    if not path.is_file():
        return "is missing"
    try:
        WeightsFile(path)  # before reading all of it
    except Exception as error:
        return f"is damaged ({error})"
    return None if sha256(path) == digest else "is damaged"


def _check_keys(description, folder):
    """Raise unless this version can read a description."""
    known = isinstance(description, dict)
    number = description.get("format") if known else None
    if isinstance(number, int) and number > FORMAT:
        raise ValueError(
            f"The format of a task folder must be at most {FORMAT}. Received: "
            f"format={number}, by {description.get('versions')}. "
            "Update keras-seq2seq."
        )
    _check_whole(
        isinstance(number, int)
        and number >= 1
        and {"class", "sha256"} <= description.keys()
        and isinstance(description["sha256"], dict)
        and WEIGHTS in description["sha256"]
        and isinstance(description.get("versions", {}), dict)
        and isinstance(description.get("training", {}), dict),
        folder,
    )
    if description["sha256"].keys() != {WEIGHTS}:
        raise ValueError(
            f"`sha256` of {DESCRIPTION} must name {WEIGHTS} and no other "
            f"file. Received: sha256 of {sorted(description['sha256'])}, in "
            f"folder={str(folder)!r}."
        )


def _check_whole(is_whole, folder):
    if not is_whole:
        raise ValueError(
            f"{DESCRIPTION} must be written by `save`. Received: "
            f"folder={str(folder)!r}, where it is something else."
        )


def _read(folder):
    if not folder.exists():  # a `save` may have been killed while replacing it
        put_back(folder.absolute())
    return json.loads(read_text(folder / DESCRIPTION))
