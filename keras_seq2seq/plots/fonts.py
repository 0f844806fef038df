"""Fonts that have what is to be written."""

import contextlib
import functools
import os
import unicodedata
import warnings

from keras_seq2seq.plots.labels import JOINERS
from keras_seq2seq.plots.labels import code_point

DEFAULT = "DejaVu Sans"  # comes with matplotlib
# What needs no picture: joiners, and selectors of one form or another.
UNSEEN = {*JOINERS, *map(chr, range(0xFE00, 0xFE10))}
NO_FONT = "Last Resort"  # matplotlib's: pictures of blocks of characters


class Lettering:
    """Font families for some texts, and what no font has.

    Characters that no installed font has become code points (`U+4E00`), with a
    warning that says so.

    Args:
        texts: Iterable of strings.
        font: Name of a font family, or path of a font file, to be tried before
            all others; or `None`.
    """

    def __init__(self, texts, font=None):
        wanted = {ord(character) for text in texts for character in text}
        first = [DEFAULT] if font is None else [_family(font), DEFAULT]
        self.families, missing = _families(first, wanted)
        if missing:
            _add_new_fonts()
            self.families, missing = _families(first, wanted)
        self._instead = {code: _instead(chr(code)) for code in missing}
        _warn_of([code for code in missing if self._instead[code]])

    def shown(self, text):
        return text.translate(self._instead)


def _family(font):
    from matplotlib import font_manager

    path = os.fspath(font)
    if os.path.isfile(path):
        if path not in _known_files():
            font_manager.fontManager.addfont(path)
        return font_manager.FontProperties(fname=path).get_name()
    if path not in font_manager.get_font_names():
        raise ValueError(
            "`font` must be the name of an installed font family, or the path "
            f"of a font file. Received: font={font!r}. "
            "`matplotlib.font_manager.get_font_names()` lists the names."
        )
    return path


def _families(first, wanted):
    """Families for code points, and the code points without one."""
    from matplotlib import font_manager

    families, missing = [*first], wanted
    for family in first:
        missing = missing - _code_points_of(family)
    for font in font_manager.fontManager.ttflist:
        if not missing:
            break
        if font.name.startswith(NO_FONT) or font.name in families:
            continue
        found = missing & _code_points(font.fname)
        # The bold font of a family may have what its plain one lacks.
        found = found and found & _code_points_of(font.name)
        if found:
            families.append(font.name)
            missing = missing - found
    return families, missing


def _code_points_of(family):
    """Those of the font that a text of this family is written in."""
    from matplotlib import font_manager

    properties = font_manager.FontProperties(family=family)
    return _code_points(font_manager.findfont(properties))


def _code_points(path):
    from matplotlib import font_manager

    return set(font_manager.get_font(path).get_charmap())


def _add_new_fonts():
    """Fonts that were installed since matplotlib listed them."""
    from matplotlib import font_manager

    for path in {*font_manager.findSystemFonts()} - _known_files():
        _add(path)


def _known_files():
    from matplotlib import font_manager

    return {font.fname for font in font_manager.fontManager.ttflist}


@functools.cache  # some files cannot be used, now and later
def _add(path):
    from matplotlib import font_manager

    with contextlib.suppress(Exception):
        font_manager.fontManager.addfont(path)


def _instead(character):
    """What stands for a character that no font has."""
    return "" if character in UNSEEN else code_point(character)


def _warn_of(missing):
    if not missing:
        return
    first = chr(min(missing))
    name = unicodedata.name(first, "without a name")
    more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
    warnings.warn(
        f"No installed font has {code_point(first)} ({name}){more}; the "
        "picture shows code points instead. Install a font of that script, "
        "such as one of Google's Noto fonts (on Debian: fonts-noto-core, "
        "fonts-noto-cjk), or pass `font='path/of/a/font.ttf'`.",
        stacklevel=6,
    )
