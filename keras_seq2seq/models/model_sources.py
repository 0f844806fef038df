"""The sources of a model, by name, and the short way to say them."""

import keras

from keras_seq2seq.sources import RawSource
from keras_seq2seq.sources import Source
from keras_seq2seq.sources import TokenSource
from keras_seq2seq.utils import registry
from keras_seq2seq.utils.checks import check_token_id
from keras_seq2seq.utils.checks import check_type
from keras_seq2seq.utils.sizes import check_dimension

TARGET = "decoder"
SHORT = {
    "source_vocabulary_size": None,
    "source_shape": None,
    "source_pad_token_id": None,
    "use_padding_mask": False,
}


def target_source(target_vocabulary_size, pad_token_id):
    """The target: what the decoder reads, a step behind."""
    check_dimension(target_vocabulary_size, "target_vocabulary_size")
    check_token_id(pad_token_id, "pad_token_id", target_vocabulary_size)
    return TokenSource(target_vocabulary_size, pad_token_id, name=TARGET)


def model_sources(sources, pad_token_id, **short):
    """Dict of name -> `Source`.

    Args:
        sources: `Source`, a list of them, their configs, or `None`: one source
            as `short` says.
        pad_token_id: Integer, that of the target.
        **short: Arguments of `Seq2Seq` that say one source.
    """
    if sources is None:
        return _by_name([_one_source(pad_token_id, **short)])
    if short != SHORT:
        given = sorted(name for name in SHORT if short[name] != SHORT[name])
        raise ValueError(
            f"Expected either `sources` or what is short for one. Received: "
            f"`sources` and {given}. Give these to the sources."
        )
    sources = sources if isinstance(sources, (list, tuple)) else [sources]
    return _by_name([registry.object_of(source) for source in sources])


def _by_name(sources):
    for source in sources:
        check_type(source, "sources", Source)
    names = [source.name for source in sources]
    if not names or len({*names}) < len(names):
        raise ValueError(
            "`sources` must be at least one, with different names. Received: "
            f"sources named {names}. Pass `name` to each."
        )
    if TARGET in names:
        raise ValueError(
            f"{TARGET!r} is the name of the target. Received: sources named "
            f"{names}. Pass another `name`."
        )
    return dict(zip(names, sources))


def _one_source(
    pad_token_id,
    source_vocabulary_size,
    source_shape,
    source_pad_token_id,
    use_padding_mask,
):
    size, shape = source_vocabulary_size, source_shape
    if (shape is None) == (size is None):
        raise ValueError(
            "Expected either `source_vocabulary_size`, for token ids, or "
            "`source_shape`, for raw input. Received: "
            f"source_vocabulary_size={size}, source_shape={shape}"
        )
    if shape is not None:
        return RawSource(shape, use_padding_mask=use_padding_mask)
    check_dimension(size, "source_vocabulary_size")
    given = source_pad_token_id
    pad = pad_token_id if given is None else given
    name = "pad_token_id" if given is None else "source_pad_token_id"
    return TokenSource(
        size,
        check_token_id(pad, name, size),
        use_padding_mask=use_padding_mask,
    )


def sources_config(sources):
    """Dict of the arguments of `Seq2Seq` that say these sources.

    The short ones for one source without a name of its own, as in files of
    earlier versions.
    """
    source, *others = sources.values()
    if others or source.name != "encoder":
        serialize = keras.saving.serialize_keras_object
        listed = [serialize(x) for x in sources.values()]
        return {**SHORT, "sources": listed}
    return {
        "sources": None,
        "source_vocabulary_size": source.vocabulary_size,
        "source_shape": getattr(source, "shape", None),
        "source_pad_token_id": getattr(source, "pad_token_id", None),
        "use_padding_mask": source.use_padding_mask,
    }
