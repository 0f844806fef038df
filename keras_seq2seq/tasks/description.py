"""What the JSON file of a task's folder says, checked."""

import json

from keras_seq2seq.tasks.trusted import check_trusted
from keras_seq2seq.tasks.weights_file import WeightsFile
from keras_seq2seq.utils.files import check_path
from keras_seq2seq.utils.files import read_text
from keras_seq2seq.utils.files import sha256
from keras_seq2seq.utils.unfinished import put_back

FORMAT = 2
DESCRIPTION = "keras_seq2seq.json"
WEIGHTS = "model.weights.h5"
PARTS = ("model", "source_tokenizer", "target_tokenizer", "search")
UNREADABLE = (OSError, ValueError, RecursionError)


def class_name(folder):
    """The class that a folder names, or `None`; nothing else is checked."""
    try:
        description = _read(check_path(folder))
    except UNREADABLE:
        return None
    name = description.get("class") if isinstance(description, dict) else None
    return name if isinstance(name, str) else None


def checked(folder, cls):
    """The description of a folder that holds a task of a class."""
    try:
        description = _read(folder)
    except UNREADABLE as error:
        raise ValueError(
            f"`folder` must hold a saved task, with {DESCRIPTION}. Received: "
            f"folder={str(folder)!r}, where it cannot be read ({error}). Give "
            "a folder that `save` wrote; an exported model is none."
        ) from error
    _check_keys(description, folder)
    check_trusted(description)
    if description["class"] != cls.__name__:
        raise ValueError(
            f"The folder must hold a `{cls.__name__}`. Received: "
            f"class={description['class']!r}"
        )
    problem = _problem(folder / WEIGHTS, description["sha256"][WEIGHTS])
    if problem:
        raise ValueError(
            f"{WEIGHTS} must hold the weights of the model, as `save` wrote "
            f"them. Received: folder={str(folder)!r}, where {WEIGHTS} "
            f"{problem}. Copy the folder again."
        )
    return description


def _problem(path, digest):
    """What is wrong with a file of weights, or `None`."""
    if not path.is_file():
        return "is missing"
    try:
        WeightsFile(path)  # before all of it is read
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
    needed = {"class", "sha256", *PARTS}
    whole = (
        isinstance(number, int)
        and number >= 1
        and needed <= description.keys()
        and isinstance(description["sha256"], dict)
        and WEIGHTS in description["sha256"]
        and isinstance(description.get("versions", {}), dict)
        and isinstance(description.get("training", {}), dict)
    )
    if not whole:
        raise ValueError(
            f"{DESCRIPTION} must be written by `save`. Received: "
            f"folder={str(folder)!r}, where it is something else."
        )
    if description["sha256"].keys() != {WEIGHTS}:
        raise ValueError(
            f"`sha256` of {DESCRIPTION} must name {WEIGHTS} and no other "
            f"file. Received: sha256 of {sorted(description['sha256'])}, in "
            f"folder={str(folder)!r}."
        )


def _read(folder):
    if not folder.exists():  # a `save` may have been killed while it replaced
        put_back(folder.absolute())
    return json.loads(read_text(folder / DESCRIPTION))
