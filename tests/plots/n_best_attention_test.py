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
