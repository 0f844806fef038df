import functools
import subprocess

import pytest

from keras_seq2seq import tasks
from keras_seq2seq.cli import demo
from keras_seq2seq.cli import main
from keras_seq2seq.cli import pronounce
from keras_seq2seq.cli.options import PRESET
from keras_seq2seq.models import PRESETS
from keras_seq2seq.tasks import TextToText

pytest.importorskip("matplotlib")
pytestmark = pytest.mark.eager


@pytest.fixture
def small(monkeypatch):
    for name in ("luong_2015", "cho_2014", PRESET):
        preset = functools.partial(PRESETS[name], units=4, embedding_dim=4)
        monkeypatch.setitem(PRESETS, name, preset)
    monkeypatch.setattr(demo, "NUM_BEAMS", 3)
    monkeypatch.setattr(demo, "MAX_LENGTH", 8)
    monkeypatch.setattr(demo, "EPOCHS", 1)


def run_demo(tmp_path, *arguments):
    return main.run(
        ["demo", "--words", "30", "--out", str(tmp_path), *arguments]
    )


def test_all_stages(small, tmp_path, capsys, monkeypatch):
    commands = []

    def answer(command, **kwargs):
        commands.append(command)
        return subprocess.CompletedProcess(command, 0, "word\tW ER D\n", "")

    monkeypatch.setattr(demo, "is_installed", lambda package: True)
    monkeypatch.setattr(TextToText, "export", lambda self, path: f"{path}/1")
    monkeypatch.setattr(demo.subprocess, "run", answer)
    assert run_demo(tmp_path, "--preset", "luong_2015", "word") == 0
    folder = tmp_path / "saved_models" / "g2p-demo"
    assert commands[0][1:] == [pronounce.__file__, str(folder), "word"]
    shown = capsys.readouterr().out
    assert "Train luong_2015" in shown
    assert "PER " in shown and "WER " in shown
    assert "word        W ER D" in shown
    assert shown.splitlines()[-1].startswith("All done in ")
    saved = tasks.load(tmp_path / "runs" / "g2p-demo")
    assert saved.search.num_beams == 3


def test_a_model_without_attention(small, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(demo, "is_installed", lambda package: False)
    assert run_demo(tmp_path, "--preset", "cho_2014") == 0
    assert "No plot: no attention" in capsys.readouterr().out
    assert not list(tmp_path.glob("**/*.png"))


def test_without_tensorflow(small, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(demo, "is_installed", lambda package: False)
    assert run_demo(tmp_path) == 0
    assert "keras-seq2seq[tensorflow]" in capsys.readouterr().out


def test_export_without_answer(tmp_path, monkeypatch):
    class Task:
        def export(self, folder):
            return folder

    monkeypatch.setattr(
        demo.subprocess,
        "run",
        lambda command, **_: subprocess.CompletedProcess(command, 1, "", "no"),
    )
    with pytest.raises(RuntimeError, match="model failed: no"):
        demo._serve(Task(), tmp_path, ["word"])


def test_sample_is_drawn_by_seed():
    corpus = demo.cmudict().validation
    first, second, other = (demo._sample(corpus, 9, s) for s in (0, 0, 1))
    assert first.sources == second.sources != other.sources
    assert len(demo._sample(corpus, 10**6, 0)) == len(corpus)
    assert first.target_tokenizer == "symbol"
