from keras_seq2seq.text import Tokenizer
from keras_seq2seq.utils import registry


def learnable_tokenizers():
    """Dict of name -> class of the tokenizers that texts alone teach."""
    known = registry.names(Tokenizer)
    return {name: kind for name, kind in known.items() if kind.learned}


def learned_tokenizer(tokenizer, texts, argument):
    """A tokenizer as it is, or one learned from texts, by name."""
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
