"""Which font has what, with the fonts that matplotlib brings along."""

import pathlib

import numpy as np
import pytest

font_manager = pytest.importorskip("matplotlib.font_manager")

import matplotlib  # noqa: E402

from keras_seq2seq import plots  # noqa: E402
from keras_seq2seq.plots.fonts import Lettering  # noqa: E402

ROOT = pathlib.Path(font_manager.findfont("DejaVu Sans")).parent
IN_STIX = "\u1d81"  # a letter of phoneticians, which DejaVu has not
NOWHERE = "\U0002fa1d"  # a rare character of Chinese


@pytest.fixture(autouse=True)
def no_others(monkeypatch):
    """The fonts of matplotlib alone, whatever this machine has."""
    manager = font_manager.fontManager
    own = [font for font in manager.ttflist if str(ROOT) in font.fname]
    monkeypatch.setattr(manager, "ttflist", own)
    monkeypatch.setattr(font_manager, "findSystemFonts", lambda: [])


def test_the_default_has_what_it_has():
    lettering = Lettering(["abc", "\u05e9\u05b8"])
    assert lettering.families == ["DejaVu Sans"]
    assert lettering.substitute("\u05e9\u05b8") == "\u05e9\u05b8"


def test_another_font_helps():
    assert Lettering([IN_STIX]).families == ["DejaVu Sans", "STIXGeneral"]


def test_a_font_that_is_named_or_given_comes_first():
    families = ["STIXGeneral", "DejaVu Sans"]
    assert Lettering(["a"], "STIXGeneral").families == families
    path = ROOT / "STIXGeneral.ttf"
    assert Lettering(["a"], path).families == families
    figure = plots.attention(["a"], ["b"], [[1.0]], font=path)
    (label,) = figure.axes[0].get_xticklabels()
    assert label.get_fontfamily() == families


def test_what_no_font_has():
    with pytest.warns(UserWarning, match=r"U\+2FA1D \(CJK.*fonts-noto-cjk"):
        figure = plots.attention([NOWHERE], ["b"], [[1.0]], title=NOWHERE)
    (label,) = figure.axes[0].get_xticklabels()
    assert [label.get_text(), figure.texts[0].get_text()] == ["U+2FA1D"] * 2


def test_what_needs_no_picture_is_no_loss():
    assert (
        Lettering(["a"], "cmr10").substitute("a\u200c\ufe0f") == "a\u200c\ufe0f"
    )


def test_a_font_installed_meanwhile_is_found(monkeypatch):
    manager = font_manager.fontManager
    others = [f for f in manager.ttflist if f.name != "STIXGeneral"]
    monkeypatch.setattr(manager, "ttflist", others)
    new = str(ROOT / "STIXGeneral.ttf")
    broken = str(pathlib.Path(__file__))
    monkeypatch.setattr(font_manager, "findSystemFonts", lambda: [broken, new])
    assert Lettering([IN_STIX]).families == ["DejaVu Sans", "STIXGeneral"]


NEW = matplotlib.__version_info__ >= (3, 11)


@pytest.mark.skipif(not NEW, reason="this matplotlib does not shape text")
def test_scripts_from_right_to_left():
    """Joined letters of Arabic are narrower than three that stand alone."""
    texts = ["\u0628\u0628\u0628", "\u0628\u200c\u0628\u200c\u0628"]
    figure = plots.attention(texts, ["b"], [[0.5, 0.5]])
    joined, alone = (
        label.get_window_extent().height  # the labels are upright
        for label in figure.axes[0].get_xticklabels()
    )
    assert 0 < joined < alone


def test_an_older_matplotlib_warns_of_them(monkeypatch):
    monkeypatch.setattr(matplotlib, "__version_info__", (3, 10, 0))
    for text in ("\u05d0", "\u0628", "abc \u0628"):
        with pytest.warns(UserWarning, match="matplotlib>=3.11"):
            Lettering([text])
    Lettering(["abc", "\u0434", "1"])


def test_errors():
    with pytest.raises(ValueError, match="`font` must be.*font='No Such"):
        plots.attention(["a"], ["b"], np.ones((1, 1)), font="No Such Font")
