"""The folder of a task: weights, and one JSON file with all the rest.

    keras_seq2seq.json   format, versions, configs, and a hash of each file
    model.weights.h5     the weights, the same under every backend, and the
                         optimizer's state where the task was compiled and
                         it was not left out

No pickle, no code: configs name registered classes only.
"""

import contextlib
import json
import os
import pathlib
import warnings

import keras

from keras_seq2seq.tasks.trusted import check_trusted
from keras_seq2seq.utils import registry
from keras_seq2seq.utils.checks import check_type
from keras_seq2seq.utils.files import check_path
from keras_seq2seq.utils.files import check_writable
from keras_seq2seq.utils.files import sha256
from keras_seq2seq.utils.files import whole_folder
from keras_seq2seq.version import __version__

FORMAT = 1
DESCRIPTION = "keras_seq2seq.json"
WEIGHTS = "model.weights.h5"
FILES = {DESCRIPTION, WEIGHTS}
PARTS = ("model", "source_tokenizer", "target_tokenizer", "search")


def save(task, folder, *, include_optimizer=True):
    """Write a task; a folder that is there must be a task's, or empty."""
    folder = check_target(folder)
    _check_not_quantized(task.model)
    with whole_folder(folder, replace=True) as new:
        with _optimizer_of(task.model, include_optimizer):
            task.model.save_weights(new / WEIGHTS)
        description = {
            "format": FORMAT,
            "class": type(task).__name__,
            "versions": {
                "keras_seq2seq": __version__,
                "keras": keras.version(),
                "backend": keras.backend.backend(),
            },
            "preset": task.preset,
            **configs(task),
            **(_optimizer_config(task) if include_optimizer else {}),
            "sha256": {WEIGHTS: sha256(new / WEIGHTS)},
        }
        check_trusted(description)
        text = json.dumps(description, indent=1, ensure_ascii=True)
        (new / DESCRIPTION).write_text(text + "\n", encoding="utf-8")


def _check_not_quantized(model):
    for layer in model._flatten_layers():
        mode = getattr(layer, "quantization_mode", None)
        if mode is not None:
            raise ValueError(
                "A task must be saved or exported before it is quantized. "
                f"Received: model whose layer `{layer.name}` is {mode}. Save "
                "the task as it was, and quantize what `load` gives."
            )


@contextlib.contextmanager
def _optimizer_of(model, included):
    """The model as it is, or without its optimizer, twice its weights."""
    if included or not model.compiled:
        yield
        return
    optimizer, model.optimizer = model.optimizer, None
    try:
        yield
    finally:
        model.optimizer = optimizer


def check_target(folder, argument="folder"):
    """Path of a folder that `save` may write: nothing else is in it."""
    folder = check_path(folder, argument).resolve()
    check_writable(folder, argument, beside=True)
    if folder == pathlib.Path.cwd():
        raise ValueError(
            f"`{argument}` must not be the current folder, which would be "
            f"replaced. Received: {argument}={str(folder)!r}. Name a folder "
            "in it."
        )
    others = sorted(set(os.listdir(folder)) - FILES) if folder.exists() else []
    if others:
        raise FileExistsError(
            f"`{argument}` must be new, or hold a saved task to be replaced. "
            f"Received: {argument}={str(folder)!r}, which holds something "
            f"else: {others[:3]}. Choose another name, or move it."
        )
    return folder


def configs(task):
    """Dict of part -> config: the model, its tokenizers and the search."""
    configs = {name: _serialized(getattr(task, name)) for name in PARTS}
    configs["model"].pop("compile_config", None)
    return configs


def _serialized(part):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of lambdas, which cannot be loaded
        return keras.saving.serialize_keras_object(part)


def _optimizer_config(task):
    if not task.model.compiled:
        return {}
    config = _serialized(task.model.optimizer)
    try:
        check_trusted(config)
        registry.object_of(json.loads(json.dumps(config)))
    except (TypeError, ValueError) as error:
        warnings.warn(
            "The task is saved without its optimizer, whose config cannot be "
            f"loaded again: {error}",
            stacklevel=5,
        )
        return {}
    return {"optimizer": config}


def class_name(folder):
    """The class that a folder names, or `None`; nothing else is checked."""
    try:
        text = (check_path(folder) / DESCRIPTION).read_text(encoding="utf-8")
        description = json.loads(text)
    except (OSError, ValueError, RecursionError):
        return None
    name = description.get("class") if isinstance(description, dict) else None
    return name if isinstance(name, str) else None


def load(folder, cls):
    """The task in a folder that `save` wrote."""
    folder = check_path(folder)
    description = _described(folder, cls)
    task = cls.of_parts(
        *(registry.object_of(description[name]) for name in PARTS)
    )
    if "optimizer" in description:
        optimizer = registry.object_of(description["optimizer"])
        task.compile(
            check_type(optimizer, "optimizer", keras.optimizers.Optimizer)
        )
        task.model.optimizer.build(task.model.trainable_variables)
    try:
        task.model.load_weights(folder / WEIGHTS)
    except (OSError, KeyError) as error:
        raise ValueError(
            f"{WEIGHTS} must hold the weights of the model. Received: "
            f"folder={str(folder)!r}, where they cannot be read ({error})."
        ) from error
    task.preset = description.get("preset")
    task.saved_by = description.get("versions")
    return task


def _described(folder, cls):
    """The checked description of a folder."""
    try:
        text = (folder / DESCRIPTION).read_text(encoding="utf-8")
        description = json.loads(text)
    except (OSError, ValueError, RecursionError) as error:
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
    for name, digest in description["sha256"].items():
        path = folder / name
        if not path.is_file() or sha256(path) != digest:
            state = "is damaged" if path.is_file() else "is missing"
            raise ValueError(
                f"The files of a task must be as `save` wrote them. Received: "
                f"folder={str(folder)!r}, where {name} {state}. Copy the "
                "folder again."
            )
    return description


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
    )
    if not whole:
        raise ValueError(
            f"{DESCRIPTION} must be written by `save`. Received: "
            f"folder={str(folder)!r}, where it is something else."
        )
