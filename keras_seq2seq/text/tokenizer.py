"""What every tokenizer offers."""

import abc
from collections.abc import Iterable

import keras
import numpy as np

from keras_seq2seq.text.utf8 import REPLACEMENT_CHARACTER
from keras_seq2seq.text.utf8 import check_text
from keras_seq2seq.text.utf8 import replace_surrogates
from keras_seq2seq.text.vocabulary import SPECIAL_TOKENS
from keras_seq2seq.text.vocabulary import Vocabulary


class Tokenizer(abc.ABC):
    """Abstract base of what turns text into token ids and back.

    A subclass fills

    - `split(text)`: the tokens of a text, a list of strings;
    - `detokenize(tokens)`: the text of tokens.

    It may fill

    - `unknown_text`: what an unknown id reads as. Defaults to U+FFFD.
    - `spans(text)`: where the word of each token is in the text, so that what
      is copied of a source is copied as it was written.
    - `graph(asset_folder)`: the same in TensorFlow, for an export.
    - `get_config()`, where its constructor has more than the `vocabulary`.
    - `learned = False`, where texts alone do not make one.
    - `encode_beginning(text)`, where `split` adds tokens at the end.

    `keras_seq2seq.testing.run_tokenizer_test` checks all of it. What it has
    then:

    - `encode(text)` gives ids without start or end. Text never produces a
      special id other than `[unknown]`, even where it spells one.
    - `decode(ids)` stops at the first end id and skips pad and start. Ids
      outside the vocabulary read as `[unknown]`.
    - `from_texts(texts, max_size=None, min_count=1, **kwargs)` learns the
      vocabulary; `kwargs` go to the constructor.
    - `graph(asset_folder)` is an equal `tf.Module`: `encode(text)`,
      `tokenize(text)`, `decode(ids)`; and `written(text)`, the text of the
      spans, where there are some. It writes its tables to `asset_folder`.

    Text is a sequence of code points, never normalised. Surrogates in a string
    count as U+FFFD, as do bytes in the graph that are not valid UTF-8 (see
    `to_utf8`). NUL is a code point like any other.

    Args:
        vocabulary: `Vocabulary`.

    Example:

    >>> class WordTokenizer(k2s.text.Tokenizer):
    ...     def split(self, text):
    ...         return text.split()
    ...     def detokenize(self, tokens):
    ...         return " ".join(tokens)
    >>> tokenizer = WordTokenizer.from_texts(["to be or not to be"])
    >>> tokenizer.decode(tokenizer.encode("to be or not"))
    'to be or not'
    """

    unknown_text = REPLACEMENT_CHARACTER
    learned = True  # from texts alone

    def __init__(self, vocabulary: Vocabulary):
        if not isinstance(vocabulary, Vocabulary):
            raise TypeError(
                "`vocabulary` must be a `Vocabulary`. Received: vocabulary of "
                f"type {type(vocabulary).__name__}. Wrap a list of tokens in "
                "`Vocabulary(tokens)`, or learn one with `from_texts`."
            )
        self.vocabulary = vocabulary
        self._texts = dict(enumerate(vocabulary.tokens, len(SPECIAL_TOKENS)))
        self._ids = {token: index for index, token in self._texts.items()}

    @classmethod
    def from_texts(
        cls,
        texts: Iterable[str],
        *,
        max_size: int | None = None,
        min_count: int = 1,
        **kwargs,
    ) -> "Tokenizer":
        if isinstance(texts, str):
            raise ValueError(
                "`texts` must be a list of strings. Received: texts of type "
                "str. Wrap a single text in a list."
            )
        empty = cls(Vocabulary([]), **kwargs)
        vocabulary = Vocabulary.from_corpus(
            map(empty.tokenize, texts), max_size=max_size, min_count=min_count
        )
        return cls(vocabulary, **kwargs)

    def tokenize(self, text: str) -> list[str]:
        check_text(text)
        return self.split(replace_surrogates(text))

    @abc.abstractmethod
    def split(self, text: str) -> list[str]:
        """Tokens of a string without surrogates."""

    def spans(self, text: str) -> list[tuple[int, int] | None] | None:
        """Where the word of each token is in the text.

        What is copied from a source is copied as it was written, which the
        tokens need not show.

        Returns:
            List of `(start, end)`, one for each token of `tokenize(text)`, in
            code points; pieces of one word have the word's. `None` for a token
            that stands for nothing in the text. Or `None`, where a tokenizer
            does not know: then its tokens are copied. Who overrides how text
            falls into tokens overrides this too.
        """
        return None

    @abc.abstractmethod
    def detokenize(self, tokens: Iterable[str]) -> str:
        """Text of tokens."""

    def graph(self, asset_folder: str):
        """Equal `tf.Module`, its tables written to `asset_folder`."""
        name = type(self).__name__
        raise NotImplementedError(
            "A served tokenizer must have a TensorFlow graph. Received: "
            f"tokenizer of type `{name}`. Fill its `graph(asset_folder)`, or "
            "call `task.generate` in Python."
        )

    def encode(self, text: str) -> list[int]:
        unknown = self.vocabulary.unknown_token_id
        return [self._ids.get(token, unknown) for token in self.tokenize(text)]

    def encode_beginning(self, text: str) -> list[int]:
        """Ids of a text that goes on: without what ends one."""
        return self.encode(text)

    def decode(self, ids) -> str:
        ids = _check_ids(ids).tolist()
        if self.vocabulary.end_token_id in ids:
            ids = ids[: ids.index(self.vocabulary.end_token_id)]
        skipped = (self.vocabulary.pad_token_id, self.vocabulary.start_token_id)
        return self.detokenize(
            self._texts.get(token_id, self.unknown_text)
            for token_id in ids
            if token_id not in skipped
        )

    def get_config(self) -> dict:
        vocabulary = keras.saving.serialize_keras_object(self.vocabulary)
        return {"vocabulary": vocabulary}

    @classmethod
    def from_config(cls, config: dict) -> "Tokenizer":
        vocabulary = config["vocabulary"]
        if isinstance(vocabulary, dict):
            vocabulary = keras.saving.deserialize_keras_object(vocabulary)
        return cls(**{**config, "vocabulary": vocabulary})


def _check_ids(ids):
    ids = np.asarray(ids)
    if ids.shape == (0,):  # a float array, of an empty list
        ids = ids.astype("int32")
    if ids.ndim == 1 and np.issubdtype(ids.dtype, np.integer):
        return ids
    raise ValueError(
        "`ids` must be the integer ids of one sequence. "
        f"Received: ids of shape {ids.shape} and dtype {ids.dtype}. "
        "Decode a batch row by row."
    )
