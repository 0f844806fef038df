"""The description of an export, `assets.extra/keras_seq2seq.json`."""

import hashlib
import json
import sys

import keras
import numpy as np
import tensorflow as tf

from keras_seq2seq.version import __version__

FORMAT = 2


def describe_export(parts, signatures, functions):
    """Describe an export, as a dict for JSON.

    Args:
        parts: `Parts`.
        signatures: Dict of name -> `Signature`.
        functions: Dict of name -> concrete function.
    """
    task = parts.task
    return {
        "format": FORMAT,
        "versions": {
            "keras_seq2seq": __version__,
            "keras": keras.version(),
            "tensorflow": tf.__version__,
            "python": "{}.{}.{}".format(*sys.version_info),
        },
        "preset": task.preset,
        "model": _config(task.model),
        "search": _config(parts.search),
        "source_tokenizer": _tokenizer(parts.source.tokenizer),
        "target_tokenizer": _tokenizer(task.target_tokenizer),
        "max_source_length": parts.source.max_length,
        "replace_unknown": parts.replace_unknown,
        "weights": {
            "count": task.model.count_params(),
            "sha256": hash_weights(task.model),
            "saved_by": task.saved_by,
        },
        "signatures": {
            name: _signature(signature, functions[name])
            for name, signature in signatures.items()
        },
    }


def hash_weights(model):
    """SHA-256 of all weights, hexadecimal, the same under every backend."""
    digest = hashlib.sha256()
    for weight in model.weights:
        value = np.ascontiguousarray(
            keras.ops.convert_to_numpy(weight), dtype="<f4"
        )
        digest.update(repr(value.shape).encode() + value.tobytes())
    return digest.hexdigest()


def hash_vocabulary(vocabulary):
    """SHA-256 of the tokens, written as a JSON list in UTF-8; hexadecimal."""
    text = json.dumps(list(vocabulary.tokens), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def _config(part):
    config = keras.saving.serialize_keras_object(part)
    return {"class_name": config["class_name"], "config": config["config"]}


def _tokenizer(tokenizer):
    """Dict, or `None` for sources without a tokenizer."""
    return tokenizer and {
        "class_name": type(tokenizer).__name__,
        "vocabulary_size": len(tokenizer.vocabulary),
        "vocabulary_sha256": hash_vocabulary(tokenizer.vocabulary),
    }


def _signature(signature, function):
    outputs = function.structured_outputs
    return {
        "search": _config(signature.search),
        "inputs": {
            name: _spec(x.dtype, (None, *x.shape), x.meaning)
            for name, x in signature.inputs.items()
        },
        "outputs": {
            name: _spec(
                x.dtype.name, x.shape, signature.output_meanings.get(name, "")
            )
            for name, x in outputs.items()
        },
    }


def _spec(dtype, shape, meaning):
    return {"dtype": dtype, "shape": list(shape), "meaning": meaning}
