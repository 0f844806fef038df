"""Checks of what users hand to a task."""

from keras_seq2seq.data import ParallelCorpus
from keras_seq2seq.models import Seq2Seq
from keras_seq2seq.models.model_sources import sources_config
from keras_seq2seq.text import Vocabulary
from keras_seq2seq.utils.checks import check_type


def check_texts(texts, argument="texts"):
    """List of strings, or an error that names the first that is none."""
    if not is_collection(texts):
        raise TypeError(
            f"`{argument}` must be a list of strings. Received: {argument} of "
            f"type `{type(texts).__name__}`. Put a single text into a list."
        )
    texts = list(texts)
    for place, text in enumerate(texts):
        if not isinstance(text, str):
            cure = " Decode bytes first." if isinstance(text, bytes) else ""
            raise TypeError(
                f"`{argument}` must be a list of strings. Received: "
                f"{argument}[{place}] of type `{type(text).__name__}`.{cure}"
            )
    return texts


def is_collection(value):
    """Whether a value is several others: no string, and no scalar array."""
    try:
        iter(value)
    except TypeError:
        return False
    return not isinstance(value, (str, bytes))


def check_corpus(corpus, argument="corpus"):
    """`ParallelCorpus`, also from a list of pairs."""
    if isinstance(corpus, (list, tuple)):
        corpus = ParallelCorpus.from_pairs(corpus)
    if not isinstance(corpus, ParallelCorpus):
        raise TypeError(
            f"`{argument}` must be a `ParallelCorpus` or a list of pairs of "
            f"strings. Received: {argument} of type `{type(corpus).__name__}`. "
            "A file is read by `ParallelCorpus.from_tsv(path)`."
        )
    if not len(corpus):
        raise ValueError(
            f"`{argument}` must hold at least one pair. Received: "
            f"len({argument})=0"
        )
    return corpus


def check_pairs(pairs, argument="pairs"):
    """List of pairs of strings, in their order."""
    if not is_collection(pairs):
        raise TypeError(
            f"`{argument}` must be a list of (source, target) pairs. "
            f"Received: {argument} of type `{type(pairs).__name__}`"
        )
    sources, targets = [], []
    for place, pair in enumerate(pairs):
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            raise TypeError(
                f"`{argument}` must be a list of (source, target) pairs. "
                f"Received: {argument}[{place}] of type "
                f"`{type(pair).__name__}`"
            )
        sources.append(pair[0])
        targets.append(pair[1])
    names = [f"{argument}, source", f"{argument}, target"]
    return list(
        zip(check_texts(sources, names[0]), check_texts(targets, names[1]))
    )


def check_vocabulary(tokenizer, size, argument):
    """Raise unless a model of `size` ids knows all of a tokenizer's."""
    count = len(tokenizer.vocabulary)
    if size is not None and count > size:
        raise ValueError(
            f"The model must know every token of `{argument}`. Received: "
            f"{argument} with a vocabulary of {count}, and a model of {size} "
            "ids. Use the tokenizer that the model was made for."
        )


def check_model(model):
    """A `Seq2Seq` that takes the padding of the vocabularies."""
    check_type(model, "model", Seq2Seq)
    source, *others = model.sources.values()
    ids_alone = source.vocabulary_size is not None and not others
    if source.use_padding_mask or not ids_alone:
        config = sources_config(model.sources).items()
        received = ", ".join(f"{n}={x}" for n, x in config if x is not None)
        raise ValueError(
            "The model of a task must read token ids, and take its mask from "
            f"them. Received: model with {received}"
        )
    pads = source.pad_token_id, model.pad_token_id
    if set(pads) != {Vocabulary.pad_token_id}:
        raise ValueError(
            "The model of a task must take the padding of the vocabularies, "
            f"{Vocabulary.pad_token_id}, on both sides. Received: model with "
            f"source_pad_token_id={pads[0]}, pad_token_id={pads[1]}"
        )
    return model
