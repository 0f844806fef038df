"""One token for each byte of UTF-8."""

from collections.abc import Iterable

import keras

from keras_seq2seq.text.subword_model import BYTES
from keras_seq2seq.text.tokenizer import Tokenizer
from keras_seq2seq.text.utf8 import REPLACEMENT_CHARACTER
from keras_seq2seq.text.utf8 import to_utf8
from keras_seq2seq.text.vocabulary import Vocabulary


@keras.saving.register_keras_serializable("keras_seq2seq")
class ByteTokenizer(Tokenizer):
    """Tokenizer whose tokens are the bytes of the text in UTF-8.

    The id of a byte is its value plus 4, and the vocabulary has 260 tokens
    whatever the texts are: `"<0x00>"` to `"<0xFF>"` after the special ones.
    Every text comes back as it was. Bytes that are no UTF-8 decode as U+FFFD,
    as does an unknown token. What is copied of a source (`spans`) is the
    character that a byte is of.

    `from_texts(texts)` has nothing to learn.

    Example:

    >>> tokenizer = k2s.text.ByteTokenizer()
    >>> tokenizer.encode("aé")
    [101, 199, 173]
    >>> tokenizer.decode([101, 199, 173, 2])
    'aé'

    References:

    - [Xue et al., 2022](https://arxiv.org/abs/2105.13626)
    """

    unknown_text = REPLACEMENT_CHARACTER

    def __init__(self):
        super().__init__(Vocabulary(BYTES))
        self._bytes = {token: bytes([i]) for i, token in enumerate(BYTES)}

    @classmethod
    def from_texts(cls, texts: Iterable[str]) -> "ByteTokenizer":
        return cls()

    def split(self, text: str) -> list[str]:
        return [BYTES[byte] for byte in text.encode("utf-8")]

    def spans(self, text: str) -> list[tuple[int, int]]:
        return [
            (place, place + 1)
            for place, character in enumerate(text)
            for _ in to_utf8(character)
        ]

    def detokenize(self, tokens: Iterable[str]) -> str:
        raw = (self._bytes.get(token) or to_utf8(token) for token in tokens)
        return b"".join(raw).decode("utf-8", errors="replace")

    def graph(self, asset_folder: str):
        from keras_seq2seq.text.byte_graph import byte_graph

        return byte_graph(self)

    def get_config(self) -> dict:
        return {}

    @classmethod
    def from_config(cls, config: dict) -> "ByteTokenizer":
        return cls(**config)
