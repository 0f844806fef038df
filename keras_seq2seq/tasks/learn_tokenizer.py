"""Tokenizers by name, learned from the texts of a corpus."""

import inspect
import itertools

from keras_seq2seq.text import Tokenizer
from keras_seq2seq.utils import registry


def learnable_tokenizers():
    """Dict of name -> class of the tokenizers that are learned from texts."""
    known = registry.names(Tokenizer)
    return {name: kind for name, kind in known.items() if kind.learned}


def learn_tokenizers(corpus, source, target, *, joint=False):
    """Learn the tokenizers of both sides of a corpus.

    Args:
        corpus: `ParallelCorpus` or `StreamedCorpus`, which names the tokenizers
            that are `None`.
        source, target: As `tokenizer` of `learn_tokenizer`, or `None`.
        joint: Boolean. Whether both sides have one tokenizer, learned from the
            texts of both. What is given for one side is meant for the other
            too. Defaults to `False`.

    Returns:
        Pair of `Tokenizer`.
    """
    if joint:
        source, target = source or target, target or source
    source = source or corpus.source_tokenizer
    target = target or corpus.target_tokenizer
    sources = (text for text, _ in corpus.pairs())
    targets = (text for _, text in corpus.pairs())
    if not joint:
        return (
            learn_tokenizer(source, sources, "source_tokenizer"),
            learn_tokenizer(target, targets, "target_tokenizer"),
        )
    if source is not target and source != target:
        raise ValueError(
            "`joint_vocabulary` needs the same tokenizer on both sides. "
            f"Received: source_tokenizer={_shown(source)}, "
            f"target_tokenizer={_shown(target)}. Give one of them."
        )
    texts = itertools.chain(sources, targets)
    tokenizer = learn_tokenizer(source, texts, "source_tokenizer")
    return tokenizer, tokenizer


def _shown(tokenizer):
    """A name or its settings; of an object, its class."""
    if isinstance(tokenizer, str | dict):
        return repr(tokenizer)
    return f"a `{type(tokenizer).__name__}`"


def learn_tokenizer(tokenizer, texts, argument):
    """Learn a tokenizer from texts.

    Args:
        tokenizer: Name of a tokenizer; or dict with its `name` and arguments of
            its `from_texts`, such as `{"name": "subword", "vocabulary_size":
            4000}`; or a `Tokenizer` or its config, which has learned already.
        texts: Iterable of strings.
        argument: String. The caller's argument, for error messages.
    """
    settings = {}
    if isinstance(tokenizer, dict) and "class_name" not in tokenizer:
        settings = dict(tokenizer)
        tokenizer = settings.pop("name", None)
    tokenizer = registry.object_of(tokenizer)
    if isinstance(tokenizer, Tokenizer):
        return tokenizer
    known = learnable_tokenizers()
    if not isinstance(tokenizer, str) or tokenizer not in known:
        raise ValueError(
            f"`{argument}` must be one of {sorted(known)}, a dict with such a "
            "`name` and settings of its `from_texts`, or a `Tokenizer`. "
            f"Received: {argument}={tokenizer!r}"
        )
    kind = registry.class_of(tokenizer, Tokenizer, argument)
    _check_settings(kind, tokenizer, settings, argument)
    return kind.from_texts(texts, **settings)


def _check_settings(kind, name, settings, argument):
    """Raise where `from_texts` does not take a setting."""
    known = {x.name for x in _parameters(kind) if x.default is not x.empty}
    unknown = sorted(map(str, settings.keys() - known))
    if unknown:
        raise ValueError(
            f"The settings of {argument}={name!r} are {sorted(known)}. "
            f"Received: {', '.join(unknown)}"
        )


def _parameters(kind):
    """Parameters of the constructor, and of `from_texts` where it is written.

    `**kwargs` of the latter go to that of the class above.
    """
    yield from inspect.signature(kind).parameters.values()
    for cls in kind.__mro__:
        if "from_texts" in vars(cls):
            found = inspect.signature(cls.from_texts).parameters.values()
            yield from found
            if all(x.kind is not x.VAR_KEYWORD for x in found):
                return
