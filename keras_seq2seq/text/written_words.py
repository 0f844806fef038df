"""Where the words of a text are, for what is copied of it."""

import functools
import itertools
import sys
import unicodedata

from keras_seq2seq.text.subword_model import SPACE

BLANK, LETTER, MARK = 0, 1, 2


def kind_of(character):
    """Whether a character is blank, in a word, or a punctuation mark."""
    if character.isspace() or character == SPACE:
        return BLANK
    if character.isalnum() or character == "_":
        return LETTER
    # A combining accent belongs to the letter before it.
    return LETTER if unicodedata.category(character)[0] == "M" else MARK


def word_spans(text):
    """List, for each character, of the span of its word; `None` at a blank.

    A word is a run of letters and digits, or one of punctuation marks.
    """
    spans = []
    for kind, run in itertools.groupby(text, kind_of):
        begin, length = len(spans), len(list(run))
        span = None if kind == BLANK else (begin, begin + length)
        spans += [span] * length
    return spans


def begun_words(text, begins, prefix=0):
    """Span of the word that each token begins in, or behind its space.

    Args:
        text: String.
        begins: List of the byte of UTF-8 that each token begins with, in the
            text with a prefix.
        prefix: Integer, how many spaces were put in front of the text.
    """
    words = [None] * prefix + word_spans(text) + [None]
    text = " " * prefix + text
    places = [i for i, x in enumerate(text) for _ in x.encode("utf-8")]
    found = []
    for begin in begins:
        place = places[begin]
        found.append(words[place + (text[place] in (" ", SPACE))])
    return found


@functools.cache
def kind_ranges():
    """First code points of the ranges of one kind, and the kinds."""
    characters = map(chr, range(sys.maxunicode + 1))
    firsts, kinds, first = [], [], 0
    for kind, run in itertools.groupby(characters, kind_of):
        firsts.append(first)
        kinds.append(kind)
        first += sum(1 for _ in run)
    return firsts, kinds
