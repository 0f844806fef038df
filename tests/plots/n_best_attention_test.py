import numpy as np
import pytest

from keras_seq2seq import plots
from keras_seq2seq.tasks import Hypothesis

pytest.importorskip("matplotlib")


def hypothesis(tokens, score):
    scores = np.full((len(tokens), 2), abs(score))
    return Hypothesis(" ".join(tokens), score, tokens, scores)


def test_basics(tmp_path):
    path = tmp_path / "attention.png"
    found = [hypothesis(["K"], -0.1), hypothesis(["K", "S"], -0.25)]
    figure = plots.n_best_attention(["o", "x"], found, path=path, title="ox")
    *panels, bar = figure.axes
    assert [axes.get_title() for axes in panels] == ["1: -0.10", "2: -0.25"]
    assert bar.get_ylabel() == "attention score"
    assert path.read_bytes().startswith(b"\x89PNG")


def test_one_scale_and_no_overlap():
    found = [hypothesis(["K"], -0.1), hypothesis(["K", "S"], -0.25)]
    figure = plots.n_best_attention(["o", "x"], found)
    limits = {axes.collections[0].get_clim() for axes in figure.axes[:2]}
    assert limits == {(0, 0.25)}
    figure.draw_without_rendering()
    boxes = [axes.get_tightbbox() for axes in figure.axes]
    assert not any(
        a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[i + 1 :]
    )


def test_errors():
    with pytest.raises(ValueError, match=r"len\(hypotheses\)=0"):
        plots.n_best_attention(["o"], [])
    with pytest.raises(ValueError, match=r"hypotheses\[0\] without"):
        plots.n_best_attention(["o"], [Hypothesis("K", -0.1, ["K"])])


def by_layer(tokens, score):
    scores = np.random.default_rng(len(tokens)).uniform(
        size=(3, len(tokens), 2)
    )
    layers = {"block_0": scores / 2, "block_1": scores}
    return Hypothesis(" ".join(tokens), score, tokens, layers)


def test_by_head(tmp_path):
    found = [by_layer(["K"], -0.1), by_layer(["K", "S"], -0.25)]
    figure = plots.n_best_attention(["o", "x"], found)
    *panels, bar = figure.axes
    assert len(panels) == 6
    assert panels[4].get_title() == "2: -0.25, head 2"
    drawn = panels[4].collections[0].get_array().reshape(2, 2)
    expected = found[1].attention_scores["block_1"][1]
    np.testing.assert_allclose(drawn, expected, rtol=1e-6)
    figure = plots.n_best_attention(["o", "x"], found, layer="block_0")
    drawn = figure.axes[4].collections[0].get_array().reshape(2, 2)
    np.testing.assert_allclose(drawn, expected / 2, rtol=1e-6)


def test_layers():
    with pytest.raises(ValueError, match="block_0.*layer='block_7'"):
        plots.n_best_attention(
            ["o", "x"], [by_layer(["K"], 0)], layer="block_7"
        )
    with pytest.raises(ValueError, match="layer='block_0', with mean scores"):
        plots.n_best_attention(
            ["o", "x"], [hypothesis(["K"], -0.1)], layer="block_0"
        )
