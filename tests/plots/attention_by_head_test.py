import numpy as np
import pytest

pytest.importorskip("matplotlib")

from keras_seq2seq.plots import attention_by_head  # noqa: E402
from keras_seq2seq.tasks import Hypothesis  # noqa: E402

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


KINDS = {
    "encoder": {"block_0": np.full((1, 2, 2), 0.5)},
    "decoder": {"block_0": np.tril(np.ones((1, 3, 3))) / 3},
    "memory": {"block_0": SCORES, "block_1": SCORES},
}


def labels(axes):
    sides = axes.get_xticklabels(), axes.get_yticklabels()
    return [[label.get_text() for label in side] for side in sides]


def test_a_row_a_layer_of_each_kind():
    figure = attention_by_head(SOURCE, TARGET, KINDS)
    encoder, decoder, memory, *_ = figure.axes
    assert [axes.get_title() for axes in (encoder, decoder, memory)] == [
        "encoder, block_0, head 1",
        "decoder, block_0, head 1",
        "memory, block_0, head 1",
    ]
    assert labels(encoder) == [SOURCE, SOURCE]
    assert labels(decoder) == [["[start]", "AA", "K"], TARGET]
    assert labels(memory) == [SOURCE, TARGET]
    assert decoder.get_xlabel() == "output before"
    # Only what is named above already is left out.
    ticks = [axes.xaxis.get_major_ticks()[0] for axes in figure.axes[:6]]
    shown = [tick.label2.get_visible() for tick in ticks]  # those on top
    assert shown == [True, True, True, True, False, False]
    figure.draw_without_rendering()
    boxes = [axes.get_tightbbox() for axes in figure.axes]
    assert not any(
        a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[i + 1 :]
    )


def test_one_kind():
    for scores in (KINDS, KINDS["decoder"], KINDS["decoder"]["block_0"]):
        figure = attention_by_head(SOURCE, TARGET, scores, kind="decoder")
        axes, _ = figure.axes
        assert labels(axes) == [["[start]", "AA", "K"], TARGET]
    found = Hypothesis("AA K S", -0.5, TARGET, KINDS)
    assert len(attention_by_head(SOURCE, found, kind="memory").axes) == 5
    with pytest.raises(ValueError, match=r"'memory'\]. Received: kind='self'"):
        attention_by_head(SOURCE, TARGET, KINDS, kind="self")
    with pytest.raises(ValueError, match="kind='encoder'"):
        attention_by_head(
            SOURCE, TARGET, {"memory": KINDS["memory"]}, kind="encoder"
        )
