"""Pieces of words, by SentencePiece."""

import base64
import binascii
import hashlib
import itertools
from collections.abc import Iterable

import keras

from keras_seq2seq.text.subword_file import WITHOUT_NORMALIZATION
from keras_seq2seq.text.subword_model import SPACE
from keras_seq2seq.text.subword_model import read_model
from keras_seq2seq.text.subword_parts import parts
from keras_seq2seq.text.subword_training import check_version
from keras_seq2seq.text.subword_training import processor
from keras_seq2seq.text.subword_training import train
from keras_seq2seq.text.subword_training import warn_of_fewer
from keras_seq2seq.text.tokenizer import Tokenizer
from keras_seq2seq.text.utf8 import check_text
from keras_seq2seq.text.utf8 import replace_surrogates
from keras_seq2seq.text.utf8 import to_utf8
from keras_seq2seq.text.vocabulary import Vocabulary
from keras_seq2seq.text.written_words import word_spans
from keras_seq2seq.utils.files import check_path


@keras.saving.register_keras_serializable("keras_seq2seq")
class SubwordTokenizer(Tokenizer):
    """Tokenizer whose tokens are words and pieces of words.

    For whole sentences: a few thousand pieces spell every text. Frequent words
    are one piece, others several, and a character that no piece has is its
    UTF-8 bytes (`"<0xE2>"`), so that no text has an unknown token.

    - `model_type="bpe"`, byte pair encoding: from single characters on, the two
      neighbours that stand beside each other most often become a piece. To
      encode, the pairs of a word are joined in the order in which they were
      learned, the leftmost of equal ones first.
    - `model_type="unigram"`: each piece has a log-probability, and a text is
      cut into the pieces whose sum is highest. Slower in the graph.

    Nothing is normalized, and `decode(encode(text))` is `text`. A space is
    `"▁"`, U+2581, in a token; one is put in front of each text, and taken away
    again. U+2581 in a text reads as a space, hence comes back as one. With
    `normalization="nmt_nfkc"`, or another rule of SentencePiece, the texts come
    back normalized, without spaces at their ends and with one between words.
    Bytes that are no UTF-8 decode as U+FFFD, as does an unknown token.

    No text is slow to encode: a word of more than 255 code points between two
    spaces is read in parts of 256, and a unigram model reads a long text in
    parts of whole words, each from the first word that begins behind 256 code
    points of the last.

    What is copied of a source (`spans`) is the word that a piece begins in:
    letters and digits in a row, or punctuation marks in a row. Where texts are
    normalized it is the piece.

    Training and ids are those of the package sentencepiece, from
    `pip install 'keras-seq2seq[subwords]'`; the graph needs TensorFlow alone.
    Unigram models need its version 0.2.3: older ones give other ids.

    `from_texts(texts, vocabulary_size=8000, model_type="bpe",
    normalization="identity")` learns the pieces; the size counts the special
    tokens and 256 bytes too. Texts too few for so many give what they have,
    with a warning. For one vocabulary of both sides, learn a tokenizer from the
    texts of both and pass it twice. Of more than half a million texts, a sample
    is learned from.

    Args:
        model: Bytes or path of a SentencePiece model, from `from_texts` or from
            elsewhere: BPE or unigram, normalizing or not. Its padding, start,
            end and unknown pieces become the tokens 0 to 3 of every
            `Vocabulary`, the others follow in their order. Refused are pieces
            that are defined by a user or have a space inside, and models that
            put no space in front of a text. `tokenizer.model` has the bytes, to
            be written to a file.

    Example:

    >>> tokenizer = k2s.text.SubwordTokenizer.from_texts(
    ...     ["the cat sat on the mat", "the rat sat on the cat"],
    ...     vocabulary_size=282,
    ... )
    >>> tokenizer.tokenize("the bats sat")
    ['▁the', '▁', '<0x62>', 'at', 's', '▁sat']
    >>> tokenizer.decode(tokenizer.encode("the bats sat"))
    'the bats sat'

    References:

    - [Sennrich et al., 2016](https://arxiv.org/abs/1508.07909)
    - [Kudo and Richardson, 2018](https://arxiv.org/abs/1808.06226)
    """

    def __init__(self, model):
        if not isinstance(model, bytes):
            model = check_path(model, "model").read_bytes()
        self.pieces = read_model(model)
        check_version(self.pieces.model_type)
        super().__init__(Vocabulary(x.text for x in self.pieces.others))
        self.model = model
        self._normalize = _in_front
        if self.pieces.normalizes:
            self._normalize = processor(model).normalize
        self._processor = processor(model + WITHOUT_NORMALIZATION)

    @classmethod
    def from_texts(
        cls,
        texts: Iterable[str],
        *,
        vocabulary_size: int = 8000,
        model_type: str = "bpe",
        normalization: str = "identity",
    ) -> "SubwordTokenizer":
        if isinstance(texts, str):
            raise ValueError(
                "`texts` must be a list of strings. Received: texts of type "
                "str. Wrap a single text in a list."
            )
        model = train(
            texts,
            vocabulary_size,
            model_type=model_type,
            normalization=normalization,
        )
        tokenizer = cls(model)
        warn_of_fewer(len(tokenizer.vocabulary), vocabulary_size)
        return tokenizer

    def split(self, text: str) -> list[str]:
        return self._read(text, str)

    def encode(self, text: str) -> list[int]:
        check_text(text)
        ids = self._read(replace_surrogates(text), int)
        return [self.pieces.ids[index] for index in ids]

    def encode_batch(self, texts: Iterable[str]) -> list[list[int]]:
        cut = []
        for text in texts:
            check_text(text)
            text = self._normalize(replace_surrogates(text))
            cut.append([*parts(text, self.pieces)])
        flat = [*itertools.chain.from_iterable(cut)]
        rows = iter(self._processor.encode(flat, out_type=int))
        ids = self.pieces.ids
        return [[ids[i] for _ in part for i in next(rows)] for part in cut]

    def _read(self, text, kind):
        """Indices or pieces of a string without surrogates."""
        encode, text = self._processor.encode, self._normalize(text)
        found = [encode(x, out_type=kind) for x in parts(text, self.pieces)]
        return [*itertools.chain.from_iterable(found)]

    def spans(self, text: str) -> list[tuple[int, int] | None] | None:
        if self.pieces.normalizes:
            return None
        text = replace_surrogates(text)
        words = [*word_spans(text), None]  # a space may be the last
        spans, place, left = [], -1, 0  # a space was put in front
        for piece in self.tokenize(text):
            spans.append(words[place + piece.startswith(SPACE)])
            if piece not in self.pieces.of_bytes:
                place += len(piece)
                continue
            # The first of a character's bytes, or one of the others.
            left = (left or len(text[place].encode())) - 1
            place += not left
        return spans

    def detokenize(self, tokens: Iterable[str]) -> str:
        raw = b"".join(
            self.pieces.raw[token]
            if token in self.pieces.raw
            else to_utf8(token.replace(SPACE, " "))
            for token in tokens
        )
        text = raw.decode("utf-8", errors="replace")
        if self.pieces.fewer_spaces:
            return text.lstrip(" ")
        return text.removeprefix(" ")

    def graph(self, asset_folder: str):
        from keras_seq2seq.text.subword_graph import subword_graph

        return subword_graph(self)

    def get_config(self) -> dict:
        return {
            "model": base64.b64encode(self.model).decode("ascii"),
            "sha256": hashlib.sha256(self.model).hexdigest(),
        }

    @classmethod
    def from_config(cls, config: dict) -> "SubwordTokenizer":
        try:
            model = base64.b64decode(config["model"], validate=True)
        except (KeyError, TypeError, ValueError, binascii.Error):
            model = b""
        if hashlib.sha256(model).hexdigest() != config.get("sha256"):
            raise ValueError(
                "The config of a `SubwordTokenizer` must hold the model that "
                "it was saved with. Received: a config whose model is damaged. "
                "Copy the folder or file again."
            )
        return cls(model)


def _in_front(text):
    """A text with a space in front, unless it is empty."""
    return text and SPACE + text
