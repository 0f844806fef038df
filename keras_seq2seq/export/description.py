"""What `assets.extra/keras_seq2seq.json` says about an export."""

import hashlib

import keras
import numpy as np
import tensorflow as tf

from keras_seq2seq.version import __version__

FORMAT = 1
MEANINGS = {
    "text": "UTF-8; invalid bytes read as U+FFFD",
    "prefix": "what the answers begin with; '' for nothing",
    "seed": "the same seed gives the same samples",
    "banned_mask": "(batch, vocabulary_size), true at banned tokens",
    "score": "of the best hypothesis",
    "texts": "best first; '' where there is no hypothesis",
    "scores": "best first; -1e9 where there is no hypothesis",
    "lengths": "in tokens, the end token counted; 0 for no hypothesis",
    "attention_scores": "(batch, n_best, longest target, longest source)",
    "source_lengths": "in tokens, after the cut",
}


def described(task, search, max_source_length, inputs, outputs):
    """Dict for JSON.

    Args:
        task: `TextToText`.
        search: The `Search` of the signature `n_best`.
        max_source_length: Integer.
        inputs, outputs: Dicts of signature -> dict of name ->
            `tf.TensorSpec`.
    """
    return {
        "format": FORMAT,
        "versions": {
            "keras_seq2seq": __version__,
            "keras": keras.version(),
            "tensorflow": tf.__version__,
        },
        "model": _config(task.model),
        "search": _config(search),
        "source_tokenizer": _tokenizer(task.source_tokenizer),
        "target_tokenizer": _tokenizer(task.target_tokenizer),
        "max_source_length": max_source_length,
        "weights": {
            "count": task.model.count_params(),
            "sha256": weights_sha256(task.model),
        },
        "signatures": {
            name: {
                "inputs": _specs(inputs[name]),
                "outputs": _specs(outputs[name]),
            }
            for name in outputs
        },
    }


def weights_sha256(model):
    """Hexadecimal SHA-256 of all weights, the same under every backend."""
    digest = hashlib.sha256()
    for weight in model.weights:
        value = np.ascontiguousarray(
            keras.ops.convert_to_numpy(weight), dtype="<f4"
        )
        digest.update(repr(value.shape).encode() + value.tobytes())
    return digest.hexdigest()


def _config(part):
    config = keras.saving.serialize_keras_object(part)
    return {"class_name": config["class_name"], "config": config["config"]}


def _tokenizer(tokenizer):
    return {
        "class_name": type(tokenizer).__name__,
        "vocabulary_size": len(tokenizer.vocabulary),
    }


def _specs(specs):
    return {
        name: {
            "dtype": spec.dtype.name,
            "shape": spec.shape.as_list(),
            "meaning": MEANINGS[name],
        }
        for name, spec in specs.items()
    }
