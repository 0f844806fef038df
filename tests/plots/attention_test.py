import builtins

import keras
import numpy as np
import pytest

from keras_seq2seq import plots

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
