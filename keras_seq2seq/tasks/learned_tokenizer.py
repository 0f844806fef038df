from keras_seq2seq.text import Tokenizer
from keras_seq2seq.utils import registry


def learned_tokenizer(tokenizer, texts, argument):
    """A tokenizer as it is, or one learned from texts, by name."""
    if isinstance(tokenizer, Tokenizer):
        return tokenizer
    known = {n: k for n, k in registry.names(Tokenizer).items() if k.learned}
    if tokenizer not in known:
        raise ValueError(
            f"`{argument}` must be one of {sorted(known)}, or a `Tokenizer`. "
            f"Received: {argument}={tokenizer!r}"
        )
    return known[tokenizer].from_texts(texts)
