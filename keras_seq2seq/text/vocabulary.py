"""The table of tokens and ids."""

import collections
from collections.abc import Iterable

import keras

from keras_seq2seq.text.utf8 import replace_surrogates

SPECIAL_TOKENS = ("[pad]", "[start]", "[end]", "[unknown]")


@keras.saving.register_keras_serializable("keras_seq2seq")
class Vocabulary:
    """One-to-one mapping of tokens and ids.

    Ids 0 to 3 are the special tokens `[pad]`, `[start]`, `[end]` and
    `[unknown]`. The given tokens follow in order, from id 4. `len()` includes
    the special tokens and is the model's `vocabulary_size`.

    `from_corpus(token_lists, vocabulary_size=None, min_count=1)` learns the
    tokens: the most frequent first, and equal counts in code point order.
    `vocabulary_size` limits `len()`, including the special tokens.

    Args:
        tokens: Iterable of distinct, non-empty strings that are not special
            tokens.

    Example:

    >>> vocabulary = k2s.text.Vocabulary.from_corpus([["b", "a"], ["b"]])
    >>> vocabulary.tokens, len(vocabulary)
    (('b', 'a'), 6)
    >>> vocabulary.token_to_id("a"), vocabulary.token_to_id("z")
    (5, 3)
    >>> vocabulary.id_to_token(2)
    '[end]'
    """

    pad_token_id = 0
    start_token_id = 1
    end_token_id = 2
    unknown_token_id = 3

    def __init__(self, tokens: Iterable[str]):
        self.tokens = _check_tokens(tokens)
        self._tokens = (*SPECIAL_TOKENS, *self.tokens)
        self._ids = {token: index for index, token in enumerate(self._tokens)}

    @classmethod
    def from_corpus(
        cls,
        token_lists: Iterable[Iterable[str]],
        *,
        vocabulary_size: int | None = None,
        min_count: int = 1,
    ) -> "Vocabulary":
        _check_limits(vocabulary_size, min_count)
        counts = collections.Counter()
        for tokens in token_lists:
            counts.update(tokens)
        tokens = [token for token in counts if counts[token] >= min_count]
        tokens.sort(key=lambda token: (-counts[token], token))
        if vocabulary_size is not None:
            tokens = tokens[: vocabulary_size - len(SPECIAL_TOKENS)]
        return cls(tokens)

    def __len__(self) -> int:
        return len(self._tokens)

    def __contains__(self, token) -> bool:
        return token in self._ids

    def __repr__(self) -> str:
        return f"Vocabulary({len(self)} tokens)"

    def token_to_id(self, token: str) -> int:
        return self._ids.get(token, self.unknown_token_id)

    def id_to_token(self, token_id: int) -> str:
        if not 0 <= token_id < len(self):
            raise ValueError(
                f"`token_id` must be in [0, {len(self)}), the ids of this "
                f"vocabulary. Received: token_id={token_id}. Is it from "
                "another vocabulary?"
            )
        return self._tokens[token_id]

    def get_config(self) -> dict:
        return {"tokens": list(self.tokens)}

    @classmethod
    def from_config(cls, config: dict) -> "Vocabulary":
        return cls(**config)


def _check_tokens(tokens):
    if isinstance(tokens, str):
        raise ValueError(
            "`tokens` must be a list of strings. Received: tokens of type str. "
            "Split it first, for instance with `list(tokens)`."
        )
    tokens = tuple(tokens)
    counts = collections.Counter(SPECIAL_TOKENS)
    counts.update(tokens)
    for index, token in enumerate(tokens):
        problem = _token_problem(token, counts)
        if problem:
            raise ValueError(
                "`tokens` must be distinct, non-empty strings without "
                "surrogates, none of them one of "
                f"{', '.join(SPECIAL_TOKENS)}, which are always added. "
                f"Received: tokens[{index}] {problem}. Remove it."
            )
    return tokens


def _token_problem(token, counts):
    if not isinstance(token, str):
        return f"of type {type(token).__name__}"
    if token in SPECIAL_TOKENS:
        return f"= {token!r}"
    if not token:
        return "empty"
    if counts[token] > 1:
        return f"= {token!r}, {counts[token]} times"
    if replace_surrogates(token) != token:
        return "with a surrogate"
    return None


def _check_limits(vocabulary_size, min_count):
    if vocabulary_size is not None and vocabulary_size <= len(SPECIAL_TOKENS):
        raise ValueError(
            "`vocabulary_size` includes the special tokens and must be greater "
            f"than {len(SPECIAL_TOKENS)}. Received: "
            f"vocabulary_size={vocabulary_size}."
        )
    if min_count < 1:
        raise ValueError(
            f"`min_count` must be at least 1. Received: min_count={min_count}."
        )
