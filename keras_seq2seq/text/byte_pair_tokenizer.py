"""Byte-level BPE, from files of other libraries."""

import functools
import itertools
from collections.abc import Iterable

import keras

from keras_seq2seq.text.byte_pair_file import CHARACTERS
from keras_seq2seq.text.byte_pair_file import read_tokenizer_json
from keras_seq2seq.text.byte_pair_file import read_vocabulary_and_merges
from keras_seq2seq.text.byte_pair_file import to_bytes
from keras_seq2seq.text.byte_pair_file import to_characters
from keras_seq2seq.text.character_classes import word_pattern
from keras_seq2seq.text.tokenizer import Tokenizer
from keras_seq2seq.text.utf8 import REPLACEMENT_CHARACTER
from keras_seq2seq.text.utf8 import replace_surrogates
from keras_seq2seq.text.utf8 import to_utf8
from keras_seq2seq.text.vocabulary import SPECIAL_TOKENS
from keras_seq2seq.text.vocabulary import Vocabulary
from keras_seq2seq.text.written_words import begun_words

LONGEST_WORD = 256  # in bytes, the space in front counted; it is cut


@keras.saving.register_keras_serializable("keras_seq2seq")
class BytePairTokenizer(Tokenizer):
    """Byte-level BPE, as of GPT-2, RoBERTa and BART, from its files.

    A text is split into words, numbers and punctuation, each with the space in
    front of it; the bytes of a word are joined by the merges of the files.
    Every text has ids and comes back as it was. A token is written with one
    character for each byte: `"Ġthe"` is `" the"`.

    - `from_file("tokenizer.json")` reads a file of the package tokenizers;
    - `from_files("vocab.json", "merges.txt")` those of GPT-2.

    Ids are those of the file plus 4, after the special tokens of every
    `Vocabulary`. The file's own special tokens, such as `"<s>"`, keep their
    ids, but no text has them, even if it spells one, and they decode to
    nothing. A word of more than 256 bytes is read in parts of 256, so that no
    text is slow to encode. Bytes that are no UTF-8 decode as U+FFFD, as does an
    unknown token. What is copied of a source (`spans`) is the word that a token
    begins in: letters and digits in a row, or punctuation marks in a row.

    Ids are those of the package tokenizers, from
    `pip install 'keras-seq2seq[byte-pairs]'`; the graph needs TensorFlow alone.
    What a letter, a number and white space is, is that of its version 0.23.
    Refused are files that split or normalize otherwise.

    Args:
        vocabulary: `Vocabulary` of tokens, all bytes among them.
        merges: List of pairs of tokens, the first learned first.
        special_tokens: List of tokens that no text has. Defaults to `()`.
        add_prefix_space: Boolean. Whether a text without a space in front gets
            one, which is taken away again. Defaults to `False`.

    Example:

    ```python
    tokenizer = k2s.text.BytePairTokenizer.from_file("gpt2/tokenizer.json")
    tokenizer.tokenize("Hello world")  # ["Hello", "Ġworld"]
    ```

    References:

    - [Radford et al., 2019](https://cdn.openai.com/better-language-models/language_models_are_unsupervised_multitask_learners.pdf)
    """

    unknown_text = REPLACEMENT_CHARACTER
    learned = False

    def __init__(
        self,
        vocabulary: Vocabulary,
        merges,
        *,
        special_tokens=(),
        add_prefix_space: bool = False,
    ):
        super().__init__(vocabulary)
        self.merges = [tuple(pair) for pair in merges]
        special = [t for t in special_tokens if t in self._ids]
        self.special_tokens = tuple(special)
        self.add_prefix_space = bool(add_prefix_space)
        self._bytes = {x: to_bytes(x) or b"" for x in vocabulary.tokens}
        self._bytes.update(dict.fromkeys(special, b""))
        _check(self._bytes, self.merges)

    @classmethod
    def from_file(cls, path) -> "BytePairTokenizer":
        return cls._of(**read_tokenizer_json(path))

    @classmethod
    def from_files(
        cls, vocabulary, merges, *, add_prefix_space: bool = False
    ) -> "BytePairTokenizer":
        return cls._of(
            **read_vocabulary_and_merges(vocabulary, merges),
            add_prefix_space=add_prefix_space,
        )

    @classmethod
    def _of(cls, tokens, merges, *, special_tokens=(), **settings):
        special = {*special_tokens}
        special.update(t for t in tokens if to_bytes(t) is None)
        return cls(
            Vocabulary(tokens),
            merges,
            special_tokens=[token for token in tokens if token in special],
            **settings,
        )

    @classmethod
    def from_texts(cls, texts, **kwargs):
        raise ValueError(
            "A `BytePairTokenizer` has the vocabulary of its files, and is not "
            "learned from texts. Use `from_file`, or learn a "
            "`SubwordTokenizer`."
        )

    @functools.cached_property
    def _model(self):
        return _model(self.vocabulary.tokens, self.merges)

    def split(self, text: str) -> list[str]:
        words = word_pattern().findall(self._with_prefix(text))
        written = [to_characters(word.encode("utf-8")) for word in words]
        return [
            token.value
            for word in written
            for begin in range(0, len(word), LONGEST_WORD)
            for token in self._model.tokenize(word[begin:][:LONGEST_WORD])
        ]

    def _with_prefix(self, text):
        add = self.add_prefix_space and text and not text.startswith(" ")
        return " " + text if add else text

    def spans(self, text: str) -> list[tuple[int, int] | None]:
        text = replace_surrogates(text)
        tokens = self.tokenize(text)
        prefix = len(self._with_prefix(text)) - len(text)
        sizes = (len(self._bytes[token]) for token in tokens)
        ends = itertools.accumulate(sizes, initial=0)
        return begun_words(text, [*ends][:-1], prefix)

    def detokenize(self, tokens: Iterable[str]) -> str:
        raw = b"".join(
            self._bytes[token] if token in self._bytes else to_utf8(token)
            for token in tokens
        )
        text = raw.decode("utf-8", errors="replace")
        # In front of another space, or of nothing, none was added.
        added = self.add_prefix_space and text[1:2] not in ("", " ")
        return text.removeprefix(" ") if added else text

    def bytes_of(self, token: str) -> bytes:
        """UTF-8 of a token, or a part of a character's."""
        return self._bytes[token]

    def graph(self, asset_folder: str):
        from keras_seq2seq.text.byte_pair_graph import byte_pair_graph

        return byte_pair_graph(self)

    def get_config(self) -> dict:
        return {
            **super().get_config(),
            "merges": [" ".join(pair) for pair in self.merges],
            "special_tokens": list(self.special_tokens),
            "add_prefix_space": self.add_prefix_space,
        }

    @classmethod
    def from_config(cls, config: dict) -> "BytePairTokenizer":
        merges = [merge.split(" ") for merge in config["merges"]]
        return super().from_config({**config, "merges": merges})


def _check(raw, merges):
    """Raise unless all bytes and merges are in the vocabulary."""
    missing = [x for x in CHARACTERS if x not in raw]
    if missing:
        raise ValueError(
            "`vocabulary` must have a token for each of 256 bytes. Received: "
            f"one without {len(missing)} of them. Give the file of a byte-level"
            " tokenizer."
        )
    for place, pair in enumerate(merges):
        if len(pair) != 2 or not {*pair, "".join(pair)} <= raw.keys():
            raise ValueError(
                "`merges` must be pairs of tokens that make another token of "
                f"the vocabulary. Received: merges[{place}]={pair}. Are both "
                "files of one tokenizer?"
            )


def _model(tokens, merges):
    """BPE of the package, without added tokens that a text may spell."""
    try:
        import tokenizers
    except ImportError as error:
        raise ImportError(
            "Byte-level BPE needs the package tokenizers. Received: "
            f"{error}. pip install 'keras-seq2seq[byte-pairs]'"
        ) from error
    ids = {token: i for i, token in enumerate(tokens, len(SPECIAL_TOKENS))}
    return tokenizers.models.BPE(ids, merges)
