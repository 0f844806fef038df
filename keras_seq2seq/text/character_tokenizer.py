"""One token per character."""

from collections.abc import Iterable

import keras

from keras_seq2seq.text.tokenizer import Tokenizer
from keras_seq2seq.text.utf8 import REPLACEMENT_CHARACTER
from keras_seq2seq.text.vocabulary import Vocabulary


@keras.saving.register_keras_serializable("keras_seq2seq")
class CharacterTokenizer(Tokenizer):
    """Tokenizer whose tokens are the code points of the text.

    For spelling and other small alphabets. Text is lowercased one code point at
    a time; a code point whose lowercase has several (`"İ"`) is kept. Text is
    not normalized, so a letter with a combining accent is two tokens. The graph
    uses a lookup table made by the same rules, so its results do not depend on
    TensorFlow's Unicode version.

    Unknown characters are decoded as U+FFFD.

    Args:
        vocabulary: `Vocabulary` of single characters.
        lowercase: Boolean. Whether to lowercase text. Defaults to `True`; in
            `from_texts`, to `True` if the texts have no capitals.

    Example:

    >>> tokenizer = k2s.text.CharacterTokenizer.from_texts(["keras"])
    >>> tokenizer.vocabulary.tokens
    ('a', 'e', 'k', 'r', 's')
    >>> tokenizer.encode("Sea!")
    [8, 5, 4, 3]
    >>> tokenizer.decode([8, 5, 4, 2, 0])
    'sea'
    """

    unknown_text = REPLACEMENT_CHARACTER

    def __init__(self, vocabulary: Vocabulary, *, lowercase: bool = True):
        super().__init__(vocabulary)
        for token in vocabulary.tokens:
            if len(token) != 1:
                raise ValueError(
                    "`vocabulary` must hold single characters. "
                    f"Received: a token of {len(token)} characters. "
                    "Learn one with `CharacterTokenizer.from_texts`."
                )
        self.lowercase = bool(lowercase)

    @classmethod
    def from_texts(cls, texts, *, lowercase: bool | None = None, **kwargs):
        if lowercase is None and not isinstance(texts, str):
            texts = list(texts)
            exact = cls(Vocabulary([]), lowercase=False)
            characters = set().union(*map(exact.tokenize, texts))
            lowercase = all(char == fold(char) for char in characters)
        return super().from_texts(texts, lowercase=lowercase, **kwargs)

    def split(self, text: str) -> list[str]:
        return list(map(fold, text)) if self.lowercase else list(text)

    def spans(self, text: str) -> list[tuple[int, int]]:
        return [(i, i + 1) for i, _ in enumerate(text)]

    def detokenize(self, tokens: Iterable[str]) -> str:
        return "".join(tokens)

    def graph(self, asset_folder: str):
        from keras_seq2seq.text.character_graph import character_graph

        return character_graph(self, asset_folder)

    def get_config(self) -> dict:
        return {**super().get_config(), "lowercase": self.lowercase}


def fold(character: str) -> str:
    """Lowercase a character, if the result is one character."""
    lower = character.lower()
    return lower if len(lower) == 1 else character
