"""`keras-seq2seq inspect` on an export, and on what a server refuses."""

import json
import shutil

import keras
import pytest

from keras_seq2seq.cli import main
from keras_seq2seq.export import export_saved_model
from keras_seq2seq.search import GreedySearch
from tests.fixtures import trained_task

tf = pytest.importorskip("tensorflow")
if keras.backend.backend() != "tensorflow":
    pytest.skip("exports under TensorFlow", allow_module_level=True)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("saved_models") / "model"
    task = trained_task("luong_2015")
    task.search = GreedySearch(max_length=20)
    export_saved_model(
        task,
        folder,
        max_source_length=9,
        signatures=["n_best", "token_ids"],
        source="runs/x",
    )
    return folder


def test_the_newest_version(folder, capsys):
    assert main.run(["inspect", str(folder)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == str(folder / "1")
    for line in (
        f"  keras_seq2seq 0.1.0.dev0, keras {keras.__version__}, ",
        "  sources of at most 9 tokens",
        "  weights from runs/x",
        "serving_default",
        "  -> text              string (?)",
        "  <- texts             string (?, 1)",
        "  <- attention_scores  float (?, 1, ?, ?)",
    ):
        assert any(found.startswith(line) for found in lines), line
    assert any("While" in line and "MatMul" in line for line in lines)


def test_as_json(folder, capsys):
    assert main.run(["inspect", str(folder / "1"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["problem"] is None
    size = (folder / "1" / "saved_model.pb").stat().st_size
    assert found["sizes"]["saved_model.pb"] == size
    assert found["description"]["max_source_length"] == 9
    inputs = found["signatures"]["token_ids"]["inputs"]
    assert inputs == {"lengths": "int32 (?)", "token_ids": "int32 (?, ?)"}


def test_what_a_server_refuses(tmp_path, capsys):
    module = tf.Module()
    module.function = tf.function(lambda x: {"y": x * 2}, jit_compile=True)
    concrete = module.function.get_concrete_function(tf.TensorSpec([None]))
    tf.saved_model.save(module, str(tmp_path), signatures=concrete)
    assert main.run(["inspect", str(tmp_path)]) == 2
    found = capsys.readouterr()
    assert "no description" in found.out
    assert "compiled by XLA" in found.err


@pytest.mark.parametrize("lost", ["variables/variables.index", "assets/*"])
def test_half_a_model(folder, tmp_path, capsys, lost):
    shutil.copytree(folder / "1", tmp_path / "1")
    next((tmp_path / "1").glob(lost)).unlink()
    assert main.run(["inspect", str(tmp_path)]) == 2
    assert "must have its weights and assets" in capsys.readouterr().err


def test_no_model_at_all(tmp_path, capsys):
    assert main.run(["inspect", str(tmp_path)]) == 2
    assert "must contain a SavedModel" in capsys.readouterr().err
