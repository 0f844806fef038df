"""The folder of a task: weights, and one JSON file with all the rest.

    keras_seq2seq.json   format, versions, configs, and a hash of each file
    model.weights.h5     the weights, the same under every backend

No pickle, no code: configs name registered classes only.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

import keras

from keras_seq2seq.utils import registry
from keras_seq2seq.utils.files import sha256
from keras_seq2seq.utils.files import whole_folder
from keras_seq2seq.version import __version__

FORMAT = 1
DESCRIPTION = "keras_seq2seq.json"
WEIGHTS = "model.weights.h5"


def save(task, folder):
    """Write a task; a folder that is there must be a task's."""
    folder = pathlib.Path(folder)
    if folder.exists() and not (folder / DESCRIPTION).is_file():
        raise FileExistsError(
            "`folder` must be new, or hold a saved task to be replaced. "
            f"Received: folder={str(folder)!r}, which holds something else. "
            "Choose another name."
        )
    with whole_folder(folder, replace=True) as new:
        task.model.save_weights(new / WEIGHTS)
        description = {
            "format": FORMAT,
            "class": type(task).__name__,
            "versions": {
                "keras_seq2seq": __version__,
                "keras": keras.version(),
                "backend": keras.backend.backend(),
            },
            **_configs(task),
            "sha256": {WEIGHTS: sha256(new / WEIGHTS)},
        }
        text = json.dumps(description, indent=1, ensure_ascii=True)
        (new / DESCRIPTION).write_text(text + "\n", encoding="utf-8")


def _configs(task):
    serialize = keras.saving.serialize_keras_object
    parts = ("model", "source_tokenizer", "target_tokenizer", "search")
    configs = {name: serialize(getattr(task, name)) for name in parts}
    configs["model"].pop("compile_config", None)
    if task.model.compiled:
        configs["optimizer"] = serialize(task.model.optimizer)
    return configs


def load(folder, cls):
    """The task in a folder that `save` wrote."""
    folder = pathlib.Path(folder)
    description = _described(folder, cls)
    parts = ("model", "source_tokenizer", "target_tokenizer", "search")
    task = cls(*(registry.object_of(description[name]) for name in parts))
    task.model.load_weights(folder / WEIGHTS)
    if "optimizer" in description:
        task.compile(registry.object_of(description["optimizer"]))
    return task


def _described(folder, cls):
    """The checked description of a folder."""
    try:
        text = (folder / DESCRIPTION).read_text(encoding="utf-8")
        description = json.loads(text)
    except (OSError, ValueError) as error:
        raise ValueError(
            f"`folder` must hold a saved task, with {DESCRIPTION}. Received: "
            f"folder={str(folder)!r}, where it cannot be read ({error})."
        ) from error
    if not isinstance(description, dict) or "format" not in description:
        raise ValueError(
            f"{DESCRIPTION} must be written by `save`. Received: "
            f"folder={str(folder)!r}, where it is something else."
        )
    if description["format"] > FORMAT:
        raise ValueError(
            f"The format of a task folder must be at most {FORMAT}. Received: "
            f"format={description['format']}, by version "
            f"{description['versions']['keras_seq2seq']}. Update "
            "keras-seq2seq."
        )
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


def export(task, folder):
    """Export through a process of its own: TensorFlow, and no GPU in sight."""
    with tempfile.TemporaryDirectory() as scratch:
        saved = os.path.join(scratch, "task")
        save(task, saved)
        command = [sys.executable, "-m", "keras_seq2seq.export", saved]
        done = subprocess.run(
            [*command, os.path.abspath(folder)],
            env={
                **os.environ,
                "KERAS_BACKEND": "tensorflow",
                "CUDA_VISIBLE_DEVICES": "-1",
                "TF_CPP_MIN_LOG_LEVEL": "3",
            },
            capture_output=True,
            text=True,
        )
    if done.returncode:
        lines = done.stderr.strip().splitlines() or ["no message"]
        raise RuntimeError(f"The export failed: {lines[-1]}")
    return done.stdout.strip().splitlines()[-1]
