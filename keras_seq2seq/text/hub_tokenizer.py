"""A tokenizer of KerasHub."""

import base64
import re
from collections.abc import Iterable

import keras

from keras_seq2seq.text.tokenizer import Tokenizer
from keras_seq2seq.text.utf8 import REPLACEMENT_CHARACTER
from keras_seq2seq.text.utf8 import replace_surrogates
from keras_seq2seq.text.vocabulary import Vocabulary
from keras_seq2seq.utils import registry

# What a word may be: punctuation apart, or all between two blanks.
WORDS = re.compile(r"\w+|[^\w\s]"), re.compile(r"\S+")
OFFERS = ("tokenize", "detokenize", "id_to_token", "vocabulary_size")


@keras.saving.register_keras_serializable("keras_seq2seq")
class HubTokenizer(Tokenizer):
    """A tokenizer of KerasHub, for subwords and in front of a backbone.

    Ids are KerasHub's plus 4, after the special ones of every vocabulary here;
    `BackboneEncoder` counts the same way. A pretrained backbone expects the
    tokens around a text that it was trained with: name them in `before` and
    `after`. Its vocabulary is saved with it.

    KerasHub's tokenizers are no core TensorFlow ops, so there is no graph, and
    a task with this tokenizer cannot be exported.

    What is copied of a source (`spans`) is the word that a piece belongs to:
    letters and digits in a row or a punctuation mark, or, where the tokenizer
    cuts otherwise, all between two blanks.

    Args:
        tokenizer: KerasHub tokenizer, such as `BertTokenizer`, with a
            vocabulary and without a `sequence_length`; or its config.
        before: List of tokens in front of each text, such as `["[CLS]"]`.
            Defaults to `()`.
        after: List of tokens after each text, such as `["[SEP]"]`. Defaults to
            `()`.

    Example:

    ```python
    tokenizer = k2s.text.HubTokenizer(
        keras_hub.tokenizers.BertTokenizer.from_preset("bert_base_en"),
        before=["[CLS]"],
        after=["[SEP]"],
    )
    ```
    """

    unknown_text = REPLACEMENT_CHARACTER
    learned = False

    def __init__(self, tokenizer, *, before=(), after=()):
        self.tokenizer = _checked(registry.object_of(tokenizer))
        size = self.tokenizer.vocabulary_size()
        super().__init__(
            Vocabulary(map(self.tokenizer.id_to_token, range(size)))
        )
        self.before = self._checked_tokens(before, "before")
        self.after = self._checked_tokens(after, "after")

    def _checked_tokens(self, tokens, argument):
        for token in tokens:
            if isinstance(tokens, str) or token not in self._ids:
                raise ValueError(
                    f"`{argument}` must be a list of tokens of the vocabulary. "
                    f"Received: {argument}={tokens!r}, with a vocabulary of "
                    f"{len(self._ids)} tokens that lacks {token!r}"
                )
        return tuple(tokens)

    @classmethod
    def from_texts(cls, texts, **kwargs):
        raise ValueError(
            "A KerasHub tokenizer brings its vocabulary; it is not learned "
            "from texts. Make one, and pass `HubTokenizer(tokenizer)`."
        )

    def split(self, text: str) -> list[str]:
        return [*self.before, *self._pieces(text), *self.after]

    def _pieces(self, text):
        ids = self.tokenizer.tokenize(text)
        return [self.tokenizer.id_to_token(int(i)) for i in ids]

    def spans(self, text: str) -> list[tuple[int, int] | None] | None:
        text = replace_surrogates(text)
        pieces = self._pieces(text)
        for words in WORDS:
            spans = self._spans_of(words, text, pieces)
            if spans is not None:
                before, after = len(self.before), len(self.after)
                return [*[None] * before, *spans, *[None] * after]
        return None

    def _spans_of(self, words, text, pieces):
        """Spans of the words, if their pieces are those of the whole text."""
        found, spans, begin = [], [], 0
        for match in words.finditer(text):
            # With the blank in front, which some put into the first piece.
            own = self._pieces(text[begin : match.end()])
            found += own
            spans += [match.span()] * len(own)
            begin = match.end()
        return spans if found == pieces else None

    def encode_beginning(self, text: str) -> list[int]:
        ids = self.encode(text)
        if len(ids) == len(self.before + self.after):  # nothing in between
            return []
        return ids[: len(ids) - len(self.after)]

    def detokenize(self, tokens: Iterable[str]) -> str:
        first, around = (
            Vocabulary.unknown_token_id + 1,
            self.before + self.after,
        )
        ids = [
            self._ids[token] - first
            for token in tokens
            if token in self._ids and token not in around
        ]
        return _text(self.tokenizer.detokenize(ids)) if ids else ""

    def graph(self, asset_folder: str):
        raise NotImplementedError(
            "A served graph must hold core TensorFlow ops, and the tokenizers "
            "of KerasHub are none. Received: HubTokenizer of type "
            f"`{type(self.tokenizer).__name__}`. Serve a task with a "
            "`CharacterTokenizer` or `SymbolTokenizer` on both sides, or call "
            "`task.generate` in Python."
        )

    def get_config(self) -> dict:
        config = keras.saving.serialize_keras_object(self.tokenizer)
        config["config"].update(_vocabulary_config(self.tokenizer))
        return {
            "tokenizer": config,
            "before": list(self.before),
            "after": list(self.after),
        }

    @classmethod
    def from_config(cls, config: dict) -> "HubTokenizer":
        return cls(**config)


def _checked(tokenizer):
    missing = [name for name in OFFERS if not hasattr(tokenizer, name)]
    length = getattr(tokenizer, "sequence_length", None)
    if missing or length is not None:
        raise ValueError(
            "`tokenizer` must be a KerasHub tokenizer without a "
            "`sequence_length`. Received: tokenizer of type "
            f"`{type(tokenizer).__name__}`, sequence_length={length}. Batches "
            "are padded later."
        )
    return tokenizer


def _vocabulary_config(tokenizer):
    """What KerasHub keeps in files beside its config."""
    proto = getattr(tokenizer, "proto", None)
    if proto is not None:
        return {"proto": base64.b64encode(proto).decode("ascii")}
    found = {"vocabulary": getattr(tokenizer, "vocabulary", None)}
    if hasattr(tokenizer, "merges"):
        found["merges"] = list(tokenizer.merges)
    return {name: x for name, x in found.items() if x is not None}


def _text(found):
    """The string of a string, a tensor, or a list of one."""
    if isinstance(found, (list, tuple)):
        (found,) = found
    found = found.numpy() if hasattr(found, "numpy") else found
    return found.decode("utf-8") if isinstance(found, bytes) else str(found)
