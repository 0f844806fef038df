from keras_seq2seq.text import Tokenizer
from keras_seq2seq.utils import registry


def learnable_tokenizers():
    """Dict of name -> class of the tokenizers that are learned from texts."""
    known = registry.names(Tokenizer)
    return {name: kind for name, kind in known.items() if kind.learned}


def learn_tokenizer(tokenizer, texts, argument):
    """Learn a tokenizer by name from texts; return a `Tokenizer` unchanged."""
    if isinstance(tokenizer, Tokenizer):
        return tokenizer
    known = learnable_tokenizers()
    if tokenizer not in known:
        raise ValueError(
            f"`{argument}` must be one of {sorted(known)}, or a `Tokenizer`. "
            f"Received: {argument}={tokenizer!r}"
        )
    kind = registry.class_of(tokenizer, Tokenizer, argument)
    return kind.from_texts(texts)
