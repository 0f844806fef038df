import numpy as np
import pytest

pytest.importorskip("matplotlib")

from keras_seq2seq.plots import attention_by_head  # noqa: E402

SCORES = np.random.default_rng(0).uniform(size=(2, 3, 2)).astype("float32")
SOURCE, TARGET = ["o", "x"], ["AA", "K", "S"]


def test_a_panel_a_head(tmp_path):
    path = tmp_path / "heads.png"
    figure = attention_by_head(SOURCE, TARGET, SCORES, path=path, title="ox")
    assert path.read_bytes().startswith(b"\x89PNG")
    panels = figure.axes[:2]
    assert [axes.get_title() for axes in panels] == ["head 1", "head 2"]
    for axes, scores in zip(panels, SCORES):
        drawn = axes.collections[0].get_array().reshape(3, 2)
        np.testing.assert_allclose(drawn, scores)
        assert axes.collections[0].get_clim() == (0, SCORES.max())


def test_a_row_a_layer():
    layers = {"block_0": SCORES, "block_1": 2 * SCORES}
    figure = attention_by_head(SOURCE, TARGET, layers, title="ox")
    panels = figure.axes[:4]
    titles = [axes.get_title() for axes in panels]
    assert titles[1:3] == ["block_0, head 2", "block_1, head 1"]
    drawn = panels[3].collections[0].get_array().reshape(3, 2)
    np.testing.assert_allclose(drawn, 2 * SCORES[1])
    limits = {axes.collections[0].get_clim() for axes in panels}
    assert limits == {(0, 2 * SCORES.max())}
    figure.draw_without_rendering()
    boxes = [axes.get_tightbbox() for axes in figure.axes]
    assert not any(
        a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[i + 1 :]
    )
    (left, top), (right, below) = (
        [round(x, 6) for x in panels[i].get_position().min] for i in (0, 3)
    )
    assert left < right and below < top
    shown = [axes.yaxis.get_tick_params()["labelleft"] for axes in panels]
    assert shown == [True, False, True, False]


def test_errors():
    with pytest.raises(ValueError, match=r"\(heads, .*shape \(3, 2\)"):
        attention_by_head(SOURCE, TARGET, SCORES[0])
    with pytest.raises(ValueError, match=r"here \(3, 1\).*shape \(3, 2\)"):
        attention_by_head(["o"], TARGET, SCORES)
