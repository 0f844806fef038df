"""Converts tokens to readable labels."""

import unicodedata

DOTTED_CIRCLE = "\u25cc"
EMPTY_SET = "\u2205"
OPEN_BOX = "\u2423"
JOINERS = "\u200c\u200d"


def to_label(token):
    """Convert a token to a visible label on one line.

    Combining marks and joiners stay with the letter before them. A mark without
    a letter is put on a dotted circle. Invisible characters become code points.
    """
    text, has_letter = "", False
    for character in token:
        joined = has_letter and joins(character)
        text += character if joined else _visible(character)
        has_letter = joined or _kind(character) not in "CZ"
    return text or EMPTY_SET


def _visible(character):
    if character == " ":
        return OPEN_BOX
    if _kind(character) in "CZ":
        return code_point(character)
    if _kind(character) == "M":
        return DOTTED_CIRCLE + character
    return character


def joins(character):
    """Whether a character combines with the one before it."""
    return _kind(character) == "M" or character in JOINERS


def is_wide(text):
    """Whether all characters are wide: Han, kana or Hangul."""
    return all(unicodedata.east_asian_width(x) in "WF" for x in text)


def code_point(character):
    """Format a character's code point, such as `U+4E00`."""
    return f"U+{ord(character):04X}"


def _kind(character):
    return unicodedata.category(character)[0]
