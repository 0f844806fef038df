"""Tokens as labels that can be read."""

import unicodedata

DOTTED_CIRCLE = "\u25cc"
EMPTY_SET = "\u2205"
OPEN_BOX = "\u2423"
JOINERS = "\u200c\u200d"


def readable(token):
    """Token as one line that can be seen.

    Marks and joiners stay with the letter before them. A mark that has none
    sits on a dotted circle; what cannot be seen becomes its code point.
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
    """Whether a character belongs to the one before it."""
    return _kind(character) == "M" or character in JOINERS


def code_point(character):
    """Such as `U+4E00`."""
    return f"U+{ord(character):04X}"


def _kind(character):
    return unicodedata.category(character)[0]
