"""A wrapper of KerasHub's tokenizers."""

import base64
import re
from collections.abc import Iterable

import keras

from keras_seq2seq.text.tokenizer import Tokenizer
from keras_seq2seq.text.utf8 import REPLACEMENT_CHARACTER
from keras_seq2seq.text.utf8 import replace_surrogates
from keras_seq2seq.text.vocabulary import Vocabulary
from keras_seq2seq.utils import registry

# Two definitions of a word: with separate punctuation, or up to a whitespace.
WORDS = re.compile(r"\w+|[^\w\s]"), re.compile(r"\S+")
OFFERS = ("tokenize", "detokenize", "id_to_token", "vocabulary_size")


@keras.saving.register_keras_serializable("keras_seq2seq")
class HubTokenizer(Tokenizer):
    """Wraps a KerasHub tokenizer, for subwords or a pretrained backbone.

    Token ids are KerasHub's ids plus 4, after the special tokens of every
    `Vocabulary`; `BackboneEncoder` subtracts them again. A pretrained backbone
    expects the special tokens of its training around each text; pass them as
    `before` and `after`. The tokenizer's vocabulary is saved with it.

    KerasHub's tokenizers do not consist of core TensorFlow ops, so there is no
    graph, and a task with this tokenizer cannot be exported. Without a
    pretrained backbone, `SubwordTokenizer` reads the same SentencePiece models
    and `BytePairTokenizer` the same byte-level BPE, and have one.

    The unit of copying from a source (`spans`) is the word that a token belongs
    to: a run of letters and digits or a punctuation mark, or, if the tokenizer
    splits differently, everything between two whitespace characters.

    Args:
        tokenizer: KerasHub tokenizer, such as `BertTokenizer`, or its config.
            It must have a vocabulary and no `sequence_length`.
        before: List of tokens before each text, such as `["[CLS]"]`. Defaults
            to `()`.
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
        self.tokenizer = _check_tokenizer(registry.object_of(tokenizer))
        size = self.tokenizer.vocabulary_size()
        super().__init__(
            Vocabulary(map(self.tokenizer.id_to_token, range(size)))
        )
        self.before = self._check_tokens(before, "before")
        self.after = self._check_tokens(after, "after")

    def _check_tokens(self, tokens, argument):
        for token in tokens:
            if isinstance(tokens, str) or token not in self._ids:
                raise ValueError(
                    f"`{argument}` must be a list of tokens in the vocabulary. "
                    f"Received: {argument}={tokens!r}, with a vocabulary of "
                    f"{len(self._ids)} tokens without {token!r}"
                )
        return tuple(tokens)

    @classmethod
    def from_texts(cls, texts, **kwargs):
        raise ValueError(
            "A KerasHub tokenizer has its own vocabulary, which is not learned "
            "from texts. Create one, and pass `HubTokenizer(tokenizer)`."
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
            spans = self._match_words(words, text, pieces)
            if spans is not None:
                before, after = len(self.before), len(self.after)
                return [*[None] * before, *spans, *[None] * after]
        return None

    def _match_words(self, words, text, pieces):
        """Spans of the words; `None` unless words and text split alike."""
        joined, spans, begin = [], [], 0
        for match in words.finditer(text):
            # With the whitespace before it, which may belong to the first
            # piece.
            own = self._pieces(text[begin : match.end()])
            joined += own
            spans += [match.span()] * len(own)
            begin = match.end()
        return spans if joined == pieces else None

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
        return _to_string(self.tokenizer.detokenize(ids)) if ids else ""

    def graph(self, asset_folder: str):
        raise NotImplementedError(
            "A served graph must consist of core TensorFlow ops, and the "
            "tokenizers of KerasHub do not. Received: HubTokenizer of type "
            f"`{type(self.tokenizer).__name__}`. {self._with_a_graph()}, or "
            "call `task.generate` in Python."
        )

    def _with_a_graph(self):
        """Which tokenizer of ours reads the same file."""
        if getattr(self.tokenizer, "proto", None) is not None:
            return (
                "Train with `SubwordTokenizer(path)`, which reads the same "
                "SentencePiece model and has a graph"
            )
        if hasattr(self.tokenizer, "merges"):
            return (
                "Train with `BytePairTokenizer.from_files(vocabulary, merges)`,"
                " which reads the same files and has a graph"
            )
        return (
            "None of ours reads its vocabulary: train with a "
            "`SubwordTokenizer`, learned from the texts, which has a graph"
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


def _check_tokenizer(tokenizer):
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
    """Config entries for what KerasHub saves in separate files."""
    proto = getattr(tokenizer, "proto", None)
    if proto is not None:
        return {"proto": base64.b64encode(proto).decode("ascii")}
    config = {"vocabulary": getattr(tokenizer, "vocabulary", None)}
    if hasattr(tokenizer, "merges"):
        config["merges"] = list(tokenizer.merges)
    return {name: x for name, x in config.items() if x is not None}


def _to_string(text):
    """Convert a string, a tensor, or a list with one of them to a string."""
    if isinstance(text, (list, tuple)):
        (text,) = text
    text = text.numpy() if hasattr(text, "numpy") else text
    return text.decode("utf-8") if isinstance(text, bytes) else str(text)
