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


def test_errors():
    with pytest.raises(TypeError, match=r"of one layer.*\['a', 'b'\]"):
        attention_by_head(SOURCE, TARGET, {"b": SCORES, "a": SCORES})
    with pytest.raises(ValueError, match=r"\(heads, .*shape \(3, 2\)"):
        attention_by_head(SOURCE, TARGET, SCORES[0])
    with pytest.raises(ValueError, match=r"here \(3, 1\).*shape \(3, 2\)"):
        attention_by_head(["o"], TARGET, SCORES)
