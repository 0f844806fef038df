"""Checks of what users hand to a task."""

from keras_seq2seq.data import ParallelCorpus
from keras_seq2seq.models import Seq2Seq
from keras_seq2seq.models.model_sources import sources_config
from keras_seq2seq.text import Vocabulary
from keras_seq2seq.utils.checks import check_type
from keras_seq2seq.utils.checks import is_collection


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
    """The sources and the targets of a list of pairs, as two lists."""
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
    return sources, targets


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
    """A `Seq2Seq` whose target has the padding of the vocabularies."""
    check_type(model, "model", Seq2Seq)
    _check_pad(model.pad_token_id, "pad_token_id")
    return model


def check_token_source(model):
    """Raise unless a model reads one source, ids with their own padding."""
    source, *others = model.sources.values()
    ids_alone = source.vocabulary_size is not None and not others
    if source.use_padding_mask or not ids_alone:
        config = sources_config(model.sources).items()
        received = ", ".join(f"{n}={x}" for n, x in config if x is not None)
        raise ValueError(
            "The model of a task for texts must read token ids, and take its "
            f"mask from them. Received: model with {received}"
        )
    _check_pad(source.pad_token_id, "source_pad_token_id")


def _check_pad(token_id, name):
    if token_id != Vocabulary.pad_token_id:
        raise ValueError(
            "The model of a task must take the padding of the vocabularies, "
            f"{Vocabulary.pad_token_id}, on both sides. Received: model with "
            f"{name}={token_id}"
        )


def check_replaceable(model):
    """Raise unless each position of the memory is a token of the source."""
    encoder = model.encoder
    if encoder.stride != 1:
        raise ValueError(
            "`replace_unknown` needs an encoder whose memory has a position "
            f"for each token. Received: encoder of type "
            f"`{type(encoder).__name__}` with stride={encoder.stride}, one "
            "position for so many tokens. Leave it out."
        )
