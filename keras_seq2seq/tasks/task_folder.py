"""The folder of a task: weights, and a JSON file with everything else.

    keras_seq2seq.json   format, versions, configs, and a hash of the weights
    model.weights.h5     the weights, the same under every backend; and the
                         optimizer's state, if the task is compiled, and the
                         state is not left out and fits the weights
    card.json            the model card: how it was trained and measured
    README.md            the same, for people
    recipe.yaml          the recipe, if the command `train` trained the task

No pickle, no code: configs can only name registered classes. Everything saved
can be loaded again, as all configs are checked before a folder is replaced.
"""

import contextlib
import json
import os
import pathlib

import keras

from keras_seq2seq.tasks import description as descriptions
from keras_seq2seq.tasks.card_facts import describe_task
from keras_seq2seq.tasks.card_facts import get_versions
from keras_seq2seq.tasks.card_files import CARD
from keras_seq2seq.tasks.card_files import README
from keras_seq2seq.tasks.card_files import RECIPE
from keras_seq2seq.tasks.card_files import read_card
from keras_seq2seq.tasks.card_files import write_card
from keras_seq2seq.tasks.description import DESCRIPTION
from keras_seq2seq.tasks.description import FORMAT
from keras_seq2seq.tasks.description import WEIGHTS
from keras_seq2seq.tasks.model_card import now
from keras_seq2seq.tasks.training_setup import compile_as_saved
from keras_seq2seq.tasks.training_setup import get_setup
from keras_seq2seq.tasks.training_setup import state_fits
from keras_seq2seq.tasks.trusted import check_loadable
from keras_seq2seq.tasks.weights_file import WeightsFile
from keras_seq2seq.tasks.weights_file import limit_size
from keras_seq2seq.utils.files import atomic_folder
from keras_seq2seq.utils.files import check_path
from keras_seq2seq.utils.files import check_writable
from keras_seq2seq.utils.files import sha256
from keras_seq2seq.version import __version__

FILES = {DESCRIPTION, WEIGHTS, CARD, README, RECIPE}


def save(task, folder, *, include_optimizer=True):
    """Save a task; an existing folder must be empty or a saved task."""
    folder = check_target(folder)
    model = task.model
    _check_not_quantized(model)
    setup = get_setup(model) if include_optimizer else {}
    description = {
        "format": FORMAT,
        "class": descriptions.saved_name(type(task)),
        "versions": {
            "keras_seq2seq": __version__,
            "keras": keras.version(),
            "backend": keras.backend.backend(),
        },
        "preset": task.preset,
        **task.get_config(),
        **setup,
    }
    check_loadable(description)
    card = _update_card(task)
    skipped = [] if setup and state_fits(model) else _optimizers(model)
    with atomic_folder(folder, replace=True) as new:
        keras.saving.save_weights(model, new / WEIGHTS, objects_to_skip=skipped)
        description["sha256"] = {WEIGHTS: sha256(new / WEIGHTS)}
        text = json.dumps(description, indent=1, ensure_ascii=True)
        (new / DESCRIPTION).write_text(text + "\n", encoding="utf-8")
        write_card(card, new, folder)


def _update_card(task):
    """Set what a card says of the task as it is now."""
    card = task.card
    card.model, card.versions = describe_task(task), get_versions()
    card.date = now()
    return card


def _check_not_quantized(model):
    for layer in model._flatten_layers():
        mode = getattr(layer, "quantization_mode", None)
        if mode is not None:
            raise ValueError(
                "A task must be saved or exported before it is quantized. "
                f"Received: model whose layer `{layer.name}` is {mode}. Save "
                "the original task, and quantize the one that `load` returns."
            )


def _optimizers(model):
    """List with the model's optimizer, or an empty one."""
    return [model.optimizer] if model.compiled else []


def check_target(folder, argument="folder"):
    """Return a folder as a `Path`; raise unless `save` may write to it."""
    folder = check_path(folder, argument).resolve()
    check_writable(folder, argument, beside=True)
    if folder == pathlib.Path.cwd():
        raise ValueError(
            f"`{argument}` must not be the current folder, which would be "
            f"replaced. Received: {argument}={str(folder)!r}. Name a folder "
            "in it."
        )
    others = set(os.listdir(folder)) if folder.exists() else set()
    # A README.md without a task is not ours.
    own = FILES if DESCRIPTION in others else {WEIGHTS}
    others = sorted(others - own)
    if others:
        raise FileExistsError(
            f"`{argument}` must be new, or hold a saved task to be replaced. "
            f"Received: {argument}={str(folder)!r}, which holds something "
            f"else: {others[:3]}. Choose another name, or move it."
        )
    return folder


def load(folder, cls):
    """Load a task from a folder written by `save`."""
    folder = check_path(folder)
    description = descriptions.read_description(folder, cls)
    with _explain_errors(folder):
        weights = WeightsFile(folder / WEIGHTS)
    with limit_size(weights.size):
        task = cls.from_config(description["parts"])
    if "optimizer" in description:
        compile_as_saved(task, description)
        optimizer = task.model.optimizer
        if weights.optimizer_size > len(optimizer.variables):  # trained
            optimizer.build(task.model.trainable_variables)
    skipped = [] if weights.optimizer_size else _optimizers(task.model)
    with _explain_errors(folder):
        task.model.load_weights(folder / WEIGHTS, objects_to_skip=skipped)
    task.preset = description.get("preset")
    task.saved_by = description.get("versions")
    task.card = read_card(folder)
    return task


@contextlib.contextmanager
def _explain_errors(folder):
    """Context manager that raises a clear error for unreadable weights."""
    try:
        yield
    except (OSError, KeyError) as error:
        raise ValueError(
            f"{WEIGHTS} must hold the weights of the model. Received: "
            f"folder={str(folder)!r}, where they cannot be read ({error})."
        ) from error
