"""One token per symbol, separated by whitespace."""

import re
from collections.abc import Iterable

import keras

from keras_seq2seq.text.tokenizer import Tokenizer
from keras_seq2seq.text.vocabulary import Vocabulary

# Whitespace for TensorFlow's split and strip. `str.split()` splits at more
# characters, such as the no-break space and the separators U+001C to U+001F.
_WHITESPACE = re.compile(r"[ \t\n\v\f\r]")
_SYMBOL = re.compile(r"[^ \t\n\v\f\r]+")


@keras.saving.register_keras_serializable("keras_seq2seq")
class SymbolTokenizer(Tokenizer):
    """Tokenizer whose tokens are separated by ASCII whitespace.

    For phones (`K EH R AH S`), tags, and text that is already tokenized.
    Separators are space, tab, newline, vertical tab, form feed and carriage
    return. Every other code point belongs to a symbol, and case matters.
    Decoding puts one space between symbols.

    Unknown symbols are decoded as `[unknown]`.

    Args:
        vocabulary: `Vocabulary` of symbols without ASCII whitespace.

    Example:

    >>> tokenizer = k2s.text.SymbolTokenizer.from_texts(["K AA", "K EH"])
    >>> tokenizer.encode("  EH K OW")
    [6, 4, 3]
    >>> tokenizer.decode([1, 4, 5, 2])
    'K AA'
    """

    unknown_text = "[unknown]"

    def __init__(self, vocabulary: Vocabulary):
        super().__init__(vocabulary)
        for token in vocabulary.tokens:
            if _WHITESPACE.search(token):
                raise ValueError(
                    "`vocabulary` must hold symbols without ASCII whitespace. "
                    "Received: a token with whitespace in it. "
                    "Learn one with `SymbolTokenizer.from_texts`."
                )

    def split(self, text: str) -> list[str]:
        return [symbol for symbol in _WHITESPACE.split(text) if symbol]

    def spans(self, text: str) -> list[tuple[int, int]]:
        return [match.span() for match in _SYMBOL.finditer(text)]

    def detokenize(self, tokens: Iterable[str]) -> str:
        return " ".join(tokens)

    def graph(self, asset_folder: str):
        from keras_seq2seq.text.symbol_graph import symbol_graph

        return symbol_graph(self, asset_folder)
