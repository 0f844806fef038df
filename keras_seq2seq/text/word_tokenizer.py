"""Words, with or without the punctuation marks beside them."""

import re
from collections.abc import Iterable

import keras

from keras_seq2seq.text.character_tokenizer import fold
from keras_seq2seq.text.tokenizer import Tokenizer
from keras_seq2seq.text.vocabulary import Vocabulary
from keras_seq2seq.text.written_words import BLANK
from keras_seq2seq.text.written_words import LETTER
from keras_seq2seq.text.written_words import MARK
from keras_seq2seq.text.written_words import kind_of

JOINER = "\uffed"  # of a token: no space between it and its neighbour
JOINED = f"{JOINER} {JOINER}|{JOINER} | {JOINER}|{JOINER}"


@keras.saving.register_keras_serializable("keras_seq2seq")
class WordTokenizer(Tokenizer):
    """Tokenizer whose tokens are words and punctuation marks.

    A word is a run of letters, digits, `"_"` and combining marks; any other
    character that is not white space is a token of its own, a mark. A mark that
    has no space before or after it carries U+FFED (`"￭"`) there, so that
    decoding puts spaces where they were. With `split_punctuation=False` a word
    is everything between white space.

    `decode(encode(text))` is `text` if its tokens are in the vocabulary, it has
    one U+0020 between words, no white space elsewhere and none of U+2581 and
    U+FFED, which read as a space, and nothing is lowercased. Every other run of
    white space comes back as one U+0020, or as nothing at the ends. Unknown
    words and marks are decoded as `[unknown]`.

    White space, letters and the lowercase are Python's, also in the graph. Text
    is lowercased as by `CharacterTokenizer`. What is copied of a source
    (`spans`) is the word or mark as it was written.

    `from_texts(texts, vocabulary_size=None, min_count=1)` takes the most
    frequent tokens, and those that occur often enough.

    Args:
        vocabulary: `Vocabulary` of tokens without white space.
        lowercase: Boolean. Whether to lowercase text. Defaults to `False`.
        split_punctuation: Boolean. Whether marks are tokens of their own.
            Defaults to `True`.

    Example:

    >>> text = "Well, it's here (again)."
    >>> tokenizer = k2s.text.WordTokenizer.from_texts([text])
    >>> tokenizer.tokenize(text)
    ['Well', '￭,', 'it', "￭'￭", 's', 'here', '(￭', 'again', '￭)', '￭.']
    >>> tokenizer.decode(tokenizer.encode(text)) == text
    True
    """

    unknown_text = "[unknown]"

    def __init__(
        self,
        vocabulary: Vocabulary,
        *,
        lowercase: bool = False,
        split_punctuation: bool = True,
    ):
        super().__init__(vocabulary)
        for token in vocabulary.tokens:
            bare = token.removeprefix(JOINER).removesuffix(JOINER)
            if not bare or any(is_blank(x) for x in bare):
                raise ValueError(
                    "`vocabulary` must hold words without white space. "
                    "Received: a token with white space or U+FFED in it. "
                    "Learn one with `WordTokenizer.from_texts`."
                )
        self.lowercase = bool(lowercase)
        self.split_punctuation = bool(split_punctuation)

    def split(self, text: str) -> list[str]:
        spans = self.spans(text)
        if self.lowercase:
            text = "".join(map(fold, text))
        tokens = [text[begin:end] for begin, end in spans]
        if not self.split_punctuation:
            return tokens
        is_mark = [kind_of(token[0]) == MARK for token in tokens]
        joined = [left[1] == right[0] for left, right in zip(spans, spans[1:])]
        # A mark is joined to what is before it, and to a word behind it.
        before = [False, *joined]
        after = [join and not mark for join, mark in zip(joined, is_mark[1:])]
        return [
            JOINER * left + token + JOINER * right if mark else token
            for left, token, right, mark in zip(
                before, tokens, [*after, False], is_mark
            )
        ]

    def spans(self, text: str) -> list[tuple[int, int]]:
        spans, kind = [], BLANK
        for place, character in enumerate(text):
            before, kind = kind, self._kind(character)
            if kind == BLANK:
                continue
            if before == kind != MARK:
                spans[-1] = (spans[-1][0], place + 1)
            else:
                spans.append((place, place + 1))
        return spans

    def _kind(self, character):
        if is_blank(character):
            return BLANK
        return kind_of(character) if self.split_punctuation else LETTER

    def detokenize(self, tokens: Iterable[str]) -> str:
        return re.sub(JOINED, "", " ".join(tokens))

    def graph(self, asset_folder: str):
        from keras_seq2seq.text.word_graph import word_graph

        return word_graph(self)

    def get_config(self) -> dict:
        return {
            **super().get_config(),
            "lowercase": self.lowercase,
            "split_punctuation": self.split_punctuation,
        }


def is_blank(character: str) -> bool:
    """Whether a character is white space to a `WordTokenizer`."""
    return character == JOINER or kind_of(character) == BLANK
