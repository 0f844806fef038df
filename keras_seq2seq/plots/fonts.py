"""Chooses fonts that have all characters of some texts."""

import contextlib
import functools
import os
import unicodedata
import warnings

from keras_seq2seq.plots.labels import JOINERS
from keras_seq2seq.plots.labels import code_point

DEFAULT = "DejaVu Sans"  # included in matplotlib
# Characters without a glyph: joiners and variation selectors.
INVISIBLE = {*JOINERS, *map(chr, range(0xFE00, 0xFE10))}
SHAPING = (3, 11)  # the first version that shapes text
NO_FONT = "Last Resort"  # matplotlib's font of placeholder glyphs


class Lettering:
    """Font families for texts, and replacements for missing characters.

    Characters that no installed font has are replaced by their code points
    (`U+4E00`), with a warning.

    Args:
        texts: Iterable of strings.
        font: Name of a font family or path of a font file to try first, or
            `None`.
    """

    def __init__(self, texts, font=None):
        wanted = {ord(character) for text in texts for character in text}
        _check_shaping(wanted)
        first = [DEFAULT] if font is None else [_resolve_family(font), DEFAULT]
        self.families, missing = _find_families(first, wanted)
        if missing:
            _add_new_fonts()
            self.families, missing = _find_families(first, wanted)
        self._replacements = {
            code: _get_replacement(chr(code)) for code in missing
        }
        _warn_about([code for code in missing if self._replacements[code]])

    def substitute(self, text):
        return text.translate(self._replacements)


def _check_shaping(wanted):
    """Warn if matplotlib does not order and join letters of these scripts."""
    import matplotlib

    kinds = {unicodedata.bidirectional(chr(code)) for code in wanted}
    if kinds & {"R", "AL"} and matplotlib.__version_info__ < SHAPING:
        warnings.warn(
            "This version of matplotlib writes right-to-left scripts from "
            f"left to right. Received: matplotlib {matplotlib.__version__}. "
            "pip install 'matplotlib>=3.11'",
            stacklevel=6,
        )


def _resolve_family(font):
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


def _find_families(first, wanted):
    """Find families for code points; also return the ones without any."""
    from matplotlib import font_manager

    families, missing = [*first], wanted
    for family in first:
        missing = missing - _family_code_points(family)
    for font in font_manager.fontManager.ttflist:
        if not missing:
            break
        if font.name.startswith(NO_FONT) or font.name in families:
            continue
        present = missing & _code_points(font.fname)
        # A family's bold font may have characters that its regular one lacks.
        present = present and present & _family_code_points(font.name)
        if present:
            families.append(font.name)
            missing = missing - present
    return families, missing


def _family_code_points(family):
    """Code points of the font that matplotlib uses for a family."""
    from matplotlib import font_manager

    properties = font_manager.FontProperties(family=family)
    return _code_points(font_manager.findfont(properties))


def _code_points(path):
    from matplotlib import font_manager

    return set(font_manager.get_font(path).get_charmap())


def _add_new_fonts():
    """Add fonts installed after matplotlib cached its list of fonts."""
    from matplotlib import font_manager

    for path in {*font_manager.findSystemFonts()} - _known_files():
        _add(path)


def _known_files():
    from matplotlib import font_manager

    return {font.fname for font in font_manager.fontManager.ttflist}


@functools.cache  # some files cannot be used: do not try them again
def _add(path):
    from matplotlib import font_manager

    with contextlib.suppress(Exception):
        font_manager.fontManager.addfont(path)


def _get_replacement(character):
    """Replacement of a character that no font has."""
    return "" if character in INVISIBLE else code_point(character)


def _warn_about(missing):
    if not missing:
        return
    first = chr(min(missing))
    name = unicodedata.name(first, "without a name")
    more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
    warnings.warn(
        f"No installed font has {code_point(first)} ({name}){more}; the "
        "figure shows code points instead. Install a font for that script, "
        "such as one of Google's Noto fonts (on Debian: fonts-noto-core, "
        "fonts-noto-cjk), or pass `font='path/of/a/font.ttf'`.",
        stacklevel=6,
    )
