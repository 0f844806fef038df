"""One token a symbol between blanks."""

import re
from collections.abc import Iterable

import keras

from keras_seq2seq.text.tokenizer import Tokenizer
from keras_seq2seq.text.vocabulary import Vocabulary

# What TensorFlow's split and strip take for whitespace. `str.split()` would
# take more, the no-break space and the separators U+001C to U+001F among them.
_BLANK = re.compile(r"[ \t\n\v\f\r]")
_SYMBOL = re.compile(r"[^ \t\n\v\f\r]+")


@keras.saving.register_keras_serializable("keras_seq2seq")
class SymbolTokenizer(Tokenizer):
    """Tokenizer whose tokens are separated by ASCII whitespace.

    For phones (`K EH R AH S`), tags, and text that was tokenized elsewhere.
    Only space, tab, newline, vertical tab, form feed and carriage return
    separate; every other code point belongs to a symbol, upper and lower case
    apart. Decoding puts one space between symbols.

    Unknown symbols decode as `[unknown]`.

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
            if _BLANK.search(token):
                raise ValueError(
                    "`vocabulary` must hold symbols without ASCII whitespace. "
                    "Received: a token with whitespace in it. "
                    "Learn one with `SymbolTokenizer.from_texts`."
                )

    def split(self, text: str) -> list[str]:
        return [symbol for symbol in _BLANK.split(text) if symbol]

    def spans(self, text: str) -> list[tuple[int, int]]:
        return [match.span() for match in _SYMBOL.finditer(text)]

    def detokenize(self, tokens: Iterable[str]) -> str:
        return " ".join(tokens)

    def graph(self, asset_folder: str):
        from keras_seq2seq.text.symbol_graph import symbol_graph

        return symbol_graph(self, asset_folder)
