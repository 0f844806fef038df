import builtins
import os
import pickle

import keras
import numpy as np
import pytest

from keras_seq2seq import plots
from keras_seq2seq.plots import fonts
from keras_seq2seq.tasks import Hypothesis

pytest.importorskip("matplotlib")

SCORES = [[0.9, 0.1], [0.0, 1.0], [0.2, 0.8]]


def labels(axes):
    x = [label.get_text() for label in axes.get_xticklabels()]
    return x, [label.get_text() for label in axes.get_yticklabels()]


def overlapping(extents):
    return [
        (a, b)
        for place, a in enumerate(extents)
        for b in extents[place + 1 :]
        if a.overlaps(b)
    ]


def test_basics(tmp_path):
    path = tmp_path / "attention.png"
    figure = plots.attention(
        ["o", "x"], ["AA", "K", "S"], SCORES, path=path, title="ox"
    )
    axes, bar = figure.axes
    assert labels(axes) == (["o", "x"], ["AA", "K", "S"])
    assert axes.yaxis_inverted()
    assert bar.get_ylabel() == "attention score"
    assert [text.get_text() for text in figure.texts] == ["ox"]
    assert path.read_bytes().startswith(b"\x89PNG")


def test_correctness():
    figure = plots.attention(
        ["o", "x"], ["AA", "K", "S"], keras.ops.convert_to_tensor(SCORES)
    )
    (cells,) = figure.axes[0].collections
    np.testing.assert_allclose(cells.get_array(), SCORES, atol=1e-6)
    assert cells.get_clim() == (0, 1)


@pytest.mark.parametrize("count", [1, 10, 60])
@pytest.mark.parametrize("token", ["a", "word"])
def test_labels_never_overlap_nor_leave_the_picture(count, token):
    tokens = [f"{token}{i}" for i in range(count)]
    figure = plots.attention(tokens, tokens, np.eye(count), title="title")
    axes = figure.axes[0]
    for ticks in (axes.get_xticklabels(), axes.get_yticklabels()):
        assert not overlapping([t.get_window_extent() for t in ticks])
    figure.draw_without_rendering()
    around = figure.get_tightbbox()
    width, height = figure.get_size_inches()
    assert around.x0 >= 0 and around.y0 >= 0
    assert around.x1 <= width and around.y1 <= height


@pytest.mark.parametrize("count", [2, 40])
def test_a_long_title_is_broken_into_lines(count):
    title = " ".join(["title"] * 60)
    tokens = ["a"] * count
    figure = plots.attention(tokens, tokens, np.eye(count), title=title)
    alone = plots.attention(tokens, tokens, np.eye(count))
    (text,) = figure.texts
    assert text.get_text().split() == title.split()
    widest = max(6, alone.get_size_inches()[0])
    assert figure.get_size_inches()[0] < 1.1 * widest
    assert not text.get_window_extent().overlaps(
        figure.axes[0].xaxis.label.get_window_extent()
    )


def test_characters_are_shown(tmp_path):
    tokens = [" ", "\n", "", "$a$", "\u0301", "\u00e9", "\U0010fffd"]
    expected = ["\u2423", "U+000A", "\u2205", "$a$", "\u25cc\u0301", "\u00e9"]
    figure = plots.attention(
        tokens, ["$x$"], np.ones((1, 7)), path=tmp_path / "x.svg", title="$y$"
    )
    assert labels(figure.axes[0]) == ([*expected, "U+10FFFD"], ["$x$"])


def test_a_model_without_attention():
    with pytest.raises(ValueError, match="must not be zero everywhere"):
        plots.attention(["a", "b"], ["b"], np.zeros((1, 2)))


def test_errors():
    with pytest.raises(ValueError, match=r"\(3, 2\).*shape \(2, 3\)"):
        plots.attention(["o", "x"], ["AA", "K", "S"], np.ones((2, 3)))
    with pytest.raises(ValueError, match=r"shape \(1, 1, 1\)"):
        plots.attention(["o"], ["AA"], np.ones((1, 1, 1)))
    with pytest.raises(ValueError, match=r"len\(target_tokens\)=0"):
        plots.attention(["o"], [], np.ones((0, 1)))
    with pytest.raises(ValueError, match="infinite values or NaN"):
        plots.attention(["o"], ["AA"], [[float("nan")]])
    with pytest.raises(TypeError, match="source_tokens of type `str`"):
        plots.attention("ox", ["AA"], np.ones((1, 2)))
    with pytest.raises(TypeError, match=r"target_tokens\[0\] of type `int`"):
        plots.attention(["o"], [3], np.ones((1, 1)))


def test_without_matplotlib(monkeypatch):
    real = builtins.__import__

    def without(name, *args, **kwargs):
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ImportError, match=r"keras-seq2seq\[plots\]"):
        plots.attention(["o"], ["AA"], [[1.0]])


def test_notebooks_show_figures():
    """As IPython does: by a method of the figure, without pyplot."""
    figure = plots.attention(["o", "x"], ["AA", "K", "S"], SCORES)
    shown = figure._repr_png_()
    assert shown.startswith(b"\x89PNG")
    size = [int.from_bytes(shown[i : i + 4]) for i in (16, 20)]
    np.testing.assert_allclose(size, figure.bbox.size, atol=1)
    again = pickle.loads(pickle.dumps(figure))
    assert again._repr_png_() == shown


def test_on_axes_of_the_user(tmp_path):
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6, 3))
    left, right = figure.subplots(1, 2)
    place = left.get_position().bounds
    path = tmp_path / "both.png"
    found = plots.attention(
        ["o", "x"], ["AA", "K", "S"], SCORES, ax=left, title="ox"
    )
    assert found is left and left.get_position().bounds == place
    assert left.get_title() == "ox" and not right.collections
    assert labels(left) == (["o", "x"], ["AA", "K", "S"])
    np.testing.assert_allclose(left.collections[0].get_array(), SCORES)
    plots.attention(["o"], ["K"], [[0.5]], ax=right, path=path)
    assert path.read_bytes().startswith(b"\x89PNG")
    assert figure.axes == [left, right]
    limits = [axes.collections[0].get_clim() for axes in figure.axes]
    assert limits == [(0, 1), (0, 1)]
    with pytest.raises(
        TypeError, match="`ax` must be matplotlib axes.*type `Figure`"
    ):
        plots.attention(["o"], ["K"], [[0.5]], ax=figure)


def test_a_hypothesis_has_all_that_is_drawn():
    found = Hypothesis("A K", -0.5, ["A", "K"], np.eye(2))
    figure = plots.attention(["o", "x"], found)
    assert labels(figure.axes[0]) == (["o", "x"], ["A", "K"])
    with pytest.raises(ValueError, match="Leave the latter out"):
        plots.attention(["o", "x"], found, np.eye(2))
    with pytest.raises(ValueError, match="must hold attention scores"):
        plots.attention(["o", "x"], Hypothesis("A", -0.5, ["A"]))


def test_labels_are_turned_by_their_width():
    """Three letters as wide as a cell are too many; three narrow ones fit."""
    for token, rotation in (("iii", 0), ("mmm", 90), ("e\u0301" * 3, 0)):
        axes = plots.attention([token], ["K"], [[1.0]]).axes[0]
        assert axes.get_xticklabels()[0].get_rotation() == rotation


@pytest.mark.filterwarnings("ignore:Glyph|No installed font has")
@pytest.mark.parametrize(
    "missing, expected",
    [
        (set(), [("\u732b", 0), ("\u30de\n\u30c3", 0), ("mmm", 90)]),
        # Code points instead of characters that no font has are not wide.
        ({0x732B}, [("U+732B", 90), ("\u30de\n\u30c3", 0), ("mmm", 90)]),
    ],
)
def test_wide_scripts_run_downward(monkeypatch, missing, expected):
    monkeypatch.setattr(fonts, "_find_families", lambda x, _: (x, missing))
    tokens = ["\u732b", "\u30de\u30c3", "mmm"]
    figure = plots.attention(tokens, ["b"], [[0.5, 0.25, 0.25]])
    labels = figure.axes[0].get_xticklabels()
    assert [(x.get_text(), x.get_rotation()) for x in labels] == expected


def test_a_picture_that_is_not_complete(tmp_path):
    path = tmp_path / "attention.png"
    path.write_bytes(b"the one before")
    with pytest.raises(ValueError, match="Format 'xyz' is not supported"):
        plots.attention(["o"], ["K"], [[0.5]], path=tmp_path / "x.xyz")
    if os.path.exists("/dev/full"):
        with pytest.raises(OSError, match="enough space"):
            plots.attention(["o"], ["K"], [[0.5]], path="/dev/full")
    with pytest.raises(OSError, match="has no parent folder"):
        plots.attention(["o"], ["K"], [[0.5]], path=tmp_path / "no" / "x.png")
    assert [*tmp_path.iterdir()] == [path]
    assert path.read_bytes() == b"the one before"
