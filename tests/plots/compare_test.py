import numpy as np
import pytest

pytest.importorskip("matplotlib")

from keras_seq2seq import plots  # noqa: E402
from keras_seq2seq.tasks import Hypothesis  # noqa: E402


def hypothesis(tokens, scores):
    return Hypothesis(" ".join(tokens), -0.5, tokens, np.array(scores))


NEW = hypothesis(["K", "S"], [[0.9, 0.1], [0.2, 0.8]])
OLD = hypothesis(["K"], [[0.5, 0.5]])


def labels(axes):
    sides = axes.get_xticklabels(), axes.get_yticklabels()
    return [[label.get_text() for label in side] for side in sides]


def test_a_panel_a_model(tmp_path):
    path = tmp_path / "both.png"
    models = {"new": NEW, "old": OLD}
    figure = plots.compare(["o", "x"], models, title="ox", path=path)
    new, old, _ = figure.axes
    assert [new.get_title(), old.get_title()] == ["new", "old"]
    assert labels(new) == [["o", "x"], ["K", "S"]]
    assert labels(old) == [["o", "x"], ["K"]]
    limits = {axes.collections[0].get_clim() for axes in (new, old)}
    assert limits == {(0, np.float32(0.9))}
    assert path.read_bytes().startswith(b"\x89PNG")


def test_models_with_tokenizers_of_their_own():
    whole = hypothesis(["KS"], [[1.0]])
    sources = {"letters": ["o", "x"], "words": ["ox"]}
    figure = plots.compare(sources, {"letters": NEW, "words": whole})
    assert labels(figure.axes[1]) == [["ox"], ["KS"]]


def test_models_by_layer():
    heads = np.array([NEW.attention_scores, np.eye(2)])
    layers = {"memory": {"block_0": heads / 2, "block_1": heads}}
    found = Hypothesis("K S", -0.5, ["K", "S"], layers)
    figure = plots.compare(["o", "x"], {"new": found, "old": OLD})
    titles = [axes.get_title() for axes in figure.axes[:3]]
    assert titles == ["new, head 1", "new, head 2", "old"]
    np.testing.assert_allclose(
        figure.axes[1].collections[0].get_array(), np.eye(2)
    )


def test_errors():
    with pytest.raises(TypeError, match="`hypotheses` must be a dict.*`list`"):
        plots.compare(["o", "x"], [NEW, OLD])
    with pytest.raises(ValueError, match=r"same names.*\['a'\] and \['b'\]"):
        plots.compare({"a": ["o", "x"]}, {"b": NEW})
    with pytest.raises(ValueError, match=r"hypotheses\['a'\] without"):
        plots.compare(["o"], {"a": Hypothesis("K", -0.1, ["K"])})
    with pytest.raises(
        TypeError, match=r"\['a'\] of type `list`.*one of its entries"
    ):
        plots.compare(["o", "x"], {"a": [NEW]})
    empty = Hypothesis("", -0.1, [], np.zeros((0, 1)))
    with pytest.raises(ValueError, match=r"\['b'\] without tokens. Leave"):
        plots.compare(["o"], {"b": empty})
