import keras
import numpy as np

from keras_seq2seq.layers import IdentityEncoder
from keras_seq2seq.models.seq2seq import Seq2Seq
from keras_seq2seq.utils.checks import check_type
from keras_seq2seq.utils.configs import config_changes

FREE = {
    "name",
    "trainable",
    "dtype",
    "dropout",
    "recurrent_dropout",
    "seed",
    "build_config",
    "shared_object_id",
    "backbone",  # its layers' names are in it
}


def copy_encoder(model, other):
    """Give a model the encoder's weights of another, the embedding's too.

    For transfer: what was learned of a source helps with another target. The
    two models share nothing afterwards. Freeze what shall stay as it is with
    `model.encoder.trainable = False` before `compile`.

    Where one network reads source and target (behind an `IdentityEncoder`),
    that network is copied, the decoder. A `LanguageModel` is such a network:
    train it on texts, and go on with pairs.

    Args:
        model: `Seq2Seq`, whose weights are replaced.
        other: `Seq2Seq`, with an encoder (or one network) of the same settings.
            Dropout, dtype and `trainable` may differ.

    Example:

    >>> def model(target_vocabulary_size):
    ...     return k2s.models.Seq2Seq.from_preset(
    ...         "luong_2015", units=8, embedding_dim=4,
    ...         source_vocabulary_size=10,
    ...         target_vocabulary_size=target_vocabulary_size,
    ...     )
    >>> first, second = model(12), model(30)
    >>> k2s.models.copy_encoder(second, first)
    >>> second.encoder.trainable = second.source_embedding.trainable = False
    """
    check_type(model, "model", Seq2Seq)
    reader = _reader(model, check_type(other, "other", Seq2Seq))
    _check_settings(model, other, reader)
    pairs = []
    for name in ("source_embedding", reader):
        own = _weights(model, name)
        theirs = _weights(other, name)
        _check_shapes(name, own, theirs)
        pairs += zip(own, theirs)
    for own, theirs in pairs:
        own.assign(array_of(theirs))


def array_of(weight):
    """The values of a weight, which a later step of training leaves alone."""
    # A copy: JAX deletes what a step of training was given.
    return np.array(keras.ops.convert_to_numpy(weight))


def _reader(model, other):
    """Name of the layer that reads the source, of both models."""
    names = {
        one: "decoder"
        if isinstance(one.encoder, IdentityEncoder)
        else "encoder"
        for one in (model, other)
    }
    if len({*names.values()}) > 1:
        kinds = [type(getattr(x, name)).__name__ for x, name in names.items()]
        raise ValueError(
            "Both models must read their source alike. Received: `model` with "
            f"a {kinds[0]}, `other` with a {kinds[1]} that reads it. Make "
            "`model` with the preset of `other`."
        )
    if not getattr(model, names[model]).weights:
        raise ValueError(
            "What reads the source must have weights to be copied. Received: "
            f"an {names[model]} of type "
            f"`{type(getattr(model, names[model])).__name__}` without any."
        )
    return names[model]


def _check_settings(model, other, reader):
    """Raise unless the same weights mean the same in both encoders."""
    sides = [
        {
            "source_pad_token_id": getattr(one.source, "pad_token_id", None),
            reader: keras.saving.serialize_keras_object(getattr(one, reader)),
        }
        for one in (model, other)
    ]
    changes = config_changes(
        *map(without_free, reversed(sides)), path="the setting"
    )
    if changes:
        raise ValueError(
            f"Both models must have the same {reader}. Received: "
            f"{changes[0]}. Make `model` with the settings of `other`."
        )


def without_free(config):
    """A config without what changes no output at inference."""
    if isinstance(config, dict):
        return {n: without_free(x) for n, x in config.items() if n not in FREE}
    if isinstance(config, (list, tuple)):
        return [without_free(x) for x in config]
    return config


def _weights(model, name):
    part = getattr(model, name)
    return [] if part is None else part.weights


def _check_shapes(name, own, theirs):
    shapes = [[tuple(w.shape) for w in side] for side in (own, theirs)]
    if len(own) != len(theirs):
        received = f"model.{name} with {len(own)} weights, other.{name} with "
        received += str(len(theirs))
    elif shapes[0] != shapes[1]:
        i = [a == b for a, b in zip(*shapes)].index(False)
        received = f"model.{name}, weight {own[i].name!r} of shape "
        received += f"{shapes[0][i]}, in other.{name} of shape {shapes[1][i]}"
    else:
        return
    raise ValueError(
        "What reads the source must be the same in both models, up to its "
        "weights. Received: "
        f"{received}. Make `model` with the settings and the source "
        "vocabulary of `other`."
    )
