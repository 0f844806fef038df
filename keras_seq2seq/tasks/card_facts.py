"""What a model card says of a task and of its training."""

import importlib
import inspect
import platform
import sys

import keras
import numpy as np

from keras_seq2seq.tasks.training_setup import serialize
from keras_seq2seq.text import Tokenizer
from keras_seq2seq.version import __version__

NUMBERS = (int, float)  # and no booleans


def describe_task(task):
    """Dict of plain values: what a task is."""
    names = inspect.signature(type(task)).parameters
    parts = {name: getattr(task, name) for name in names}
    tokenizers = {
        name: f"{type(part).__name__}, {len(part.vocabulary):,} tokens"
        for name, part in parts.items()
        if isinstance(part, Tokenizer)
    }
    return {
        "class": type(task).__name__,
        "module": type(task).__module__.split(".")[0],
        "preset": task.preset,
        "weights": task.model.count_params(),
        **tokenizers,
        "search": summarize(task.search),
    }


def get_versions():
    """Dict of name -> version of what runs a task."""
    backend = keras.backend.backend()
    return {
        "keras_seq2seq": __version__,
        "keras": keras.version(),
        backend: getattr(importlib.import_module(backend), "__version__", "?"),
        "numpy": np.__version__,
        "python": platform.python_version(),
    }


def describe_data(dataset, validation):
    """Dict of name -> number: what a model was trained on.

    Args:
        dataset: `BucketedDataset`.
        validation: `BucketedDataset` or `None`.
    """
    pairs = len(dataset.sources) - len(dataset.left_out)
    data = {"pairs": pairs, "too long": len(dataset.left_out)}
    for reason, count in getattr(dataset, "filtered", {}).items():
        data[f"filtered, {reason}"] = count
    if validation is not None:
        held_out = len(validation.sources) - len(validation.left_out)
        data["validation pairs"] = held_out
        data["validation fraction"] = held_out / max(1, pairs + held_out)
    return data


def describe_settings(model, dataset):
    """Dict of plain values: how a model was trained."""
    size = {"batch size": dataset.batch_size}
    if dataset.batch_size is None:
        size = {"tokens per batch": dataset.tokens_per_batch}
    return {
        "optimizer": summarize(model.optimizer),
        **size,
        "buckets": len(dataset.buckets),
        "backend": keras.backend.backend(),
        "dtype policy": model.dtype_policy.name,
    }


def describe_results(history, steps):
    """Dict of name -> number: the last values of a `History`."""
    last = {name: x[-1] for name, x in history.history.items() if x}
    return {"epochs": len(history.epoch), "steps": steps, **last}


def get_steps(model):
    """Number of steps of a model's optimizer."""
    optimizer = model.optimizer if model.compiled else None
    return 0 if optimizer is None else int(optimizer.iterations)


def get_seed():
    """The seed given to `keras.utils.set_random_seed`, or `None`."""
    # Keras has no public function for it.
    state = sys.modules.get("keras.src.backend.common.global_state")
    get = getattr(state, "get_global_attribute", lambda name: None)
    return get("global_random_seed")


def summarize(part):
    """Class name and plain settings of an object, without its data."""
    try:
        config = serialize(part)["config"]
    except (KeyError, TypeError, ValueError, NotImplementedError):
        config = {}
    settings = {name: _short(value) for name, value in config.items()}
    known = {name: x for name, x in settings.items() if x not in (None, [], "")}
    return {"class": type(part).__name__, **known}


def _short(value):
    """A number or string; of objects, their classes with their numbers."""
    if isinstance(value, dict):
        name, config = value.get("class_name"), value.get("config")
        config = config.items() if isinstance(config, dict) else ()
        numbers = [f"{n}={x:.7g}" for n, x in config if type(x) in NUMBERS]
        return f"{name}({', '.join(numbers)})" if numbers else name
    if isinstance(value, (list, tuple)):
        return [x for x in map(_short, value) if isinstance(x, str)]
    return value if isinstance(value, (bool, int, float, str)) else None
