"""The base class of tokenizers."""

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
    """Abstract tokenizer: converts text to token ids and back.

    A subclass implements

    - `split(text)`: the tokens of a text, a list of strings;
    - `detokenize(tokens)`: the text of a list of tokens.

    It may also override

    - `unknown_text`: the text of an unknown id. Defaults to U+FFFD.
    - `spans(text)`: the position of each token's word in the text, so that
      words can be copied from a source unchanged.
    - `graph(asset_folder)`: the same in TensorFlow, for an export.
    - `get_config()`, if its constructor has more arguments than `vocabulary`.
    - `learned = False`, if it cannot be learned from texts.
    - `encode_beginning(text)`, if `split` adds tokens at the end.

    `keras_seq2seq.testing.run_tokenizer_test` checks all of these. A tokenizer
    then has

    - `encode(text)` returns ids without start and end. The only special id it
      can contain is `[unknown]`, even if the text spells another one.
    - `decode(ids)` stops at the first end id and skips pad and start. Ids
      outside of the vocabulary are decoded as `[unknown]`.
    - `from_texts(texts, vocabulary_size=None, min_count=1, **kwargs)` learns
      the vocabulary. `kwargs` are passed to the constructor.
    - `graph(asset_folder)` returns an equivalent `tf.Module`, with
      `encode(text)`, `tokenize(text)` and `decode(ids)`, and with
      `written(text)`, the text of the spans, if there are spans. It writes its
      tables to `asset_folder`.

    Text is a sequence of code points and is not normalized. Surrogates in a
    string become U+FFFD, as do bytes that are not valid UTF-8 in the graph (see
    `to_utf8`). NUL is a code point like any other.

    Args:
        vocabulary: `Vocabulary`.

    Example:

    >>> class SplitTokenizer(k2s.text.Tokenizer):
    ...     def split(self, text):
    ...         return text.split()
    ...     def detokenize(self, tokens):
    ...         return " ".join(tokens)
    >>> tokenizer = SplitTokenizer.from_texts(["to be or not to be"])
    >>> tokenizer.decode(tokenizer.encode("to be or not"))
    'to be or not'
    """

    unknown_text = REPLACEMENT_CHARACTER
    learned = True  # from texts

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
        vocabulary_size: int | None = None,
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
            map(empty.tokenize, texts),
            vocabulary_size=vocabulary_size,
            min_count=min_count,
        )
        return cls(vocabulary, **kwargs)

    def tokenize(self, text: str) -> list[str]:
        check_text(text)
        return self.split(replace_surrogates(text))

    @abc.abstractmethod
    def split(self, text: str) -> list[str]:
        """Split a string without surrogates into tokens."""

    def spans(self, text: str) -> list[tuple[int, int] | None] | None:
        """Position of each token's word in the text.

        Copying from a source copies these spans of the original text, which may
        differ from the tokens. A subclass that overrides `split` must override
        this method too.

        Returns:
            List of `(start, end)` in code points, one for each token of
            `tokenize(text)`. Tokens of the same word share its span. The entry
            is `None` for a token without text, such as `[CLS]`. Or `None` if
            spans are unknown; then tokens are copied.
        """
        return None

    @abc.abstractmethod
    def detokenize(self, tokens: Iterable[str]) -> str:
        """Join tokens to a text."""

    def graph(self, asset_folder: str):
        """Equivalent `tf.Module`, with its tables in `asset_folder`."""
        name = type(self).__name__
        raise NotImplementedError(
            "A served tokenizer must have a TensorFlow graph. Received: "
            f"tokenizer of type `{name}`. Implement its `graph(asset_folder)`, "
            "or call `task.generate` in Python."
        )

    def encode(self, text: str) -> list[int]:
        unknown = self.vocabulary.unknown_token_id
        return [self._ids.get(token, unknown) for token in self.tokenize(text)]

    def encode_batch(self, texts: Iterable[str]) -> list[list[int]]:
        """Encode many texts; a subclass may do so faster than one by one."""
        return [self.encode(text) for text in texts]

    def encode_beginning(self, text: str) -> list[int]:
        """Encode the beginning of a text, without tokens added at its end."""
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
    if ids.shape == (0,):  # NumPy makes an empty list a float array
        ids = ids.astype("int32")
    if ids.ndim == 1 and np.issubdtype(ids.dtype, np.integer):
        return ids
    raise ValueError(
        "`ids` must be the integer ids of one sequence. "
        f"Received: ids of shape {ids.shape} and dtype {ids.dtype}. "
        "Decode a batch row by row."
    )
