"""Cuts a long text into parts, so that none is slow to encode.

The graph does the same (`subword_graph.py`).
"""

import itertools
import re

from keras_seq2seq.text.subword_model import LONGEST_WORD
from keras_seq2seq.text.subword_model import SPACE

PART = 256  # code points: where a unigram model begins another part
_WORD = re.compile(f"[ {SPACE}]?[^ {SPACE}]*", re.DOTALL)
_WORD_OF_SPACES = re.compile(f"[ {SPACE}]*[^ {SPACE}]*", re.DOTALL)


def parts(text, model):
    """List of the parts of a text, which are encoded each by itself.

    A word begins at a space, or at the first of several if they may be one
    piece. Of a word of more than 256 code points, 256 at a time are a word.

    Args:
        text: String, a space in front, or `""`.
        model: `SubwordModel`.
    """
    if not text:
        return []
    pattern = _WORD_OF_SPACES if model.joins_spaces else _WORD
    if len(text) <= PART:
        return [text]
    words = [
        word[begin : begin + LONGEST_WORD]
        for word in pattern.findall(text)
        for begin in range(0, len(word), LONGEST_WORD)
    ]
    if model.model_type == "unigram":
        return _joined(words)
    # Words are joined each by itself anyhow.
    return words if max(map(len, words)) == LONGEST_WORD else [text]


def _joined(words):
    """Words, those together that begin within the same 256 code points."""
    begins = itertools.accumulate(map(len, words), initial=0)
    numbered = zip(begins, words)
    groups = itertools.groupby(numbered, lambda pair: pair[0] // PART)
    return ["".join(word for _, word in group) for _, group in groups]
