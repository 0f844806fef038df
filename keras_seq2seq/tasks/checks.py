"""Checks of a task's arguments."""

from keras_seq2seq.data import ParallelCorpus
from keras_seq2seq.data import StreamedCorpus
from keras_seq2seq.models import Seq2Seq
from keras_seq2seq.models.model_sources import sources_config
from keras_seq2seq.text import Vocabulary
from keras_seq2seq.utils.checks import check_type
from keras_seq2seq.utils.checks import is_collection


def check_corpus(corpus, argument="corpus"):
    """Return a corpus; convert a list of pairs to a `ParallelCorpus`."""
    if isinstance(corpus, StreamedCorpus):
        return corpus
    if isinstance(corpus, (list, tuple)):
        corpus = ParallelCorpus.from_pairs(corpus)
    if not isinstance(corpus, ParallelCorpus):
        raise TypeError(
            f"`{argument}` must be a `ParallelCorpus` or a list of pairs of "
            f"strings. Received: {argument} of type `{type(corpus).__name__}`. "
            "To read a file, use `ParallelCorpus.from_tsv(path)`."
        )
    if not len(corpus):
        raise ValueError(
            f"`{argument}` must hold at least one pair. Received: "
            f"len({argument})=0"
        )
    return corpus


def check_pairs(pairs, argument="pairs"):
    """Return the sources and the targets of a list of pairs, as two lists."""
    if not is_collection(pairs):
        raise TypeError(
            f"`{argument}` must be a list of (source, target) pairs. "
            f"Received: {argument} of type `{type(pairs).__name__}`"
        )
    sources, targets = [], []
    for index, pair in enumerate(pairs):
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            raise TypeError(
                f"`{argument}` must be a list of (source, target) pairs. "
                f"Received: {argument}[{index}] of type "
                f"`{type(pair).__name__}`"
            )
        sources.append(pair[0])
        targets.append(pair[1])
    return sources, targets


def check_vocabulary(tokenizer, size, argument):
    """Raise if a tokenizer has more ids than `size`, the model's."""
    count = len(tokenizer.vocabulary)
    if size is not None and count > size:
        raise ValueError(
            f"The model must know every token of `{argument}`. Received: "
            f"{argument} with a vocabulary of {count}, and a model of {size} "
            "ids. Use the tokenizer that the model was made for."
        )


def check_model(model):
    """Return a model; raise unless it is a `Seq2Seq` with the usual padding."""
    check_type(model, "model", Seq2Seq)
    _check_pad(model.pad_token_id, "pad_token_id")
    return model


def check_token_source(model):
    """Raise unless a model has one source: token ids without a mask input."""
    source, *others = model.sources.values()
    ids_alone = source.vocabulary_size is not None and not others
    if source.use_padding_mask or not ids_alone:
        config = sources_config(model.sources).items()
        received = ", ".join(f"{n}={x}" for n, x in config if x is not None)
        raise ValueError(
            "The model of a task for texts must read token ids, and compute "
            f"its mask from them. Received: model with {received}"
        )
    _check_pad(source.pad_token_id, "source_pad_token_id")


def _check_pad(token_id, name):
    if token_id != Vocabulary.pad_token_id:
        raise ValueError(
            "The model of a task must use the padding id of `Vocabulary`, "
            f"{Vocabulary.pad_token_id}, on both sides. Received: model with "
            f"{name}={token_id}"
        )


def check_replaceable(model):
    """Raise unless each position of the memory is one source token."""
    encoder = model.encoder
    if encoder.stride != 1:
        raise ValueError(
            "`replace_unknown` needs an encoder whose memory has a position "
            f"for each token. Received: encoder of type "
            f"`{type(encoder).__name__}` with stride={encoder.stride}, the "
            "number of tokens per position. Leave it out."
        )
