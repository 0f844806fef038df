"""Texts that a font can show."""

import unicodedata

NO_FONT = "Last Resort"  # matplotlib's: pictures of blocks of characters


def readable(token):
    """Token as one line that can be seen."""
    if not token:
        return "\u2205"  # empty set
    return "".join(_visible(character) for character in token)


def _visible(character):
    kind = unicodedata.category(character)
    if character == " ":
        return "\u2423"  # open box
    if kind[0] in "CZ":
        return f"U+{ord(character):04X}"
    if kind[0] == "M":
        return "\u25cc" + character  # dotted circle
    return character


def shown(texts):
    """Texts, and the font families that show them.

    Characters that no installed font has become code points (`U+4E00`).
    """
    wanted = {ord(character) for text in texts for character in text}
    families, missing = _families(wanted)
    names = {code: f"U+{code:04X}" for code in missing}
    return [text.translate(names) for text in texts], families


def _families(wanted):
    """Font families for code points, and the code points without one."""
    from matplotlib import font_manager

    default = font_manager.FontProperties(family="DejaVu Sans")
    missing = wanted - _code_points(font_manager.findfont(default))
    families = ["DejaVu Sans"]
    for font in font_manager.fontManager.ttflist:
        if not missing:
            break
        if font.name.startswith(NO_FONT) or font.name in families:
            continue
        found = missing & _code_points(font.fname)
        if found:
            families.append(font.name)
            missing = missing - found
    return families, missing


def _code_points(path):
    from matplotlib import font_manager

    return set(font_manager.get_font(path).get_charmap())
