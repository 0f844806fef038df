"""Exports from whatever backend, with layers of one's own."""

import importlib.util
import json
import os
import subprocess
import sys

import keras
import numpy as np
import pytest

import keras_seq2seq as k2s
from tests.fixtures import trained_task
from tests.helpers.export.processes import standalone_answers

pytest.importorskip("tensorflow")

MODULE = '''
import keras
import keras_seq2seq as k2s


@keras.saving.register_keras_serializable("own_cells")
class OwnScore(k2s.layers.AttentionScore):
    """Dot product of equal widths."""

    def build(self, query_shape, value_shape):
        self.built = True

    def project_keys(self, value):
        return value

    def energies(self, query, keys):
        return keras.ops.matmul(query, keras.ops.transpose(keys, (0, 2, 1)))
'''

SIGNATURE = '''
import keras
import keras_seq2seq as k2s


@keras.saving.register_keras_serializable("own_signatures")
class TwiceSignature(k2s.export.signatures.Answers):
    """The best answer, twice."""

    output_meanings = {"text": "the best answer, twice"}

    def call(self, inputs):
        text = self.find(inputs)["texts"][:, 0]
        return {"text": text + text}
'''


@pytest.fixture
def own_cells(tmp_path, monkeypatch):
    (tmp_path / "own_cells.py").write_text(MODULE)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield importlib.import_module("own_cells")
    del sys.modules["own_cells"]


def task_with(score):
    cell = k2s.layers.LuongCell(keras.layers.GRUCell(4), score=score)
    model = k2s.models.Seq2Seq(
        k2s.layers.RecurrentEncoder(keras.layers.GRUCell(4)),
        k2s.layers.RecurrentDecoder(cell),
        source_vocabulary_size=6,
        target_vocabulary_size=6,
        embedding_dim=3,
    )
    tokenizer = k2s.text.CharacterTokenizer(k2s.text.Vocabulary(["a", "b"]))
    return k2s.tasks.TextToText(model, tokenizer, tokenizer, "greedy")


def assert_served(task, path, texts, **searches):
    """Answers of signatures, by one process, against those of searches."""
    answers = standalone_answers(path, [(name, texts) for name in searches])
    for found, search in zip(answers, searches.values(), strict=True):
        expected = task.generate(texts, n_best=1, search=search)
        assert found["text"] == [group[0].text for group in expected]
        scores = [group[0].score for group in expected]
        np.testing.assert_allclose(found["score"], scores, atol=1e-4)


def test_a_trained_task(tmp_path):
    task = trained_task("luong_2015")
    task.compile(keras.optimizers.Adam())
    task.fit([("test", "T EH S T"), ("ox", "AA K S")], verbose=0)
    greedy = k2s.search.GreedySearch(max_length=20)
    path = task.export(
        tmp_path / "served",
        searches={"greedy": greedy},
        signatures=[],
        examples=["test"],
        source="this test",
    )
    assert path == str(tmp_path / "served" / "1")
    texts = ["test", "", "ZZ?", "onto", "it's"]
    assert_served(task, path, texts, serving_default=None, greedy=greedy)
    with open(f"{path}/assets.extra/keras_seq2seq.json") as file:
        weights = json.load(file)["weights"]
    assert weights["source"] == "this test"
    assert weights["saved_by"]["backend"] == keras.backend.backend()


def test_a_score_of_ones_own(own_cells, tmp_path):
    task, target = task_with(own_cells.OwnScore()), tmp_path / "a\nb"
    path = task.export(target, signatures=[])  # a target with a newline, too
    assert path == str(target / "1")
    assert_served(task, path, ["ab", "", "bbb"], serving_default=None)


def test_a_signature_of_ones_own(tmp_path, monkeypatch):
    (tmp_path / "own_signatures.py").write_text(SIGNATURE)
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.import_module("own_signatures")
    task, texts = task_with("additive"), ["ab", "", "bbb"]
    path = task.export(tmp_path / "served", signatures=["twice"])
    (found,) = standalone_answers(path, [("twice", texts)])
    assert found["text"] == [2 * text for text in task.generate(texts)]
    del sys.modules["own_signatures"]


def test_options_that_there_are_not(tmp_path):
    with pytest.raises(TypeError, match=r"knows the options.*\['nbest'\]"):
        task_with("additive").export(tmp_path / "served", nbest=2)
    with pytest.raises(ValueError, match="`signatures` must be one of.*nbest"):
        task_with("additive").export(tmp_path / "served", signatures=["nbest"])
    with pytest.raises(TypeError, match="`searches` must be a dict"):
        task_with("additive").export(tmp_path / "served", searches=["greedy"])


def test_an_error_in_the_process_is_readable(tmp_path):
    target = tmp_path / "served"
    with pytest.raises(RuntimeError, match="The export failed.*n_best") as e:
        task_with("additive").export(target, n_best=2)
    assert "Traceback" in e.value.__notes__[0]
    assert not target.exists()


def test_a_target_that_cannot_be(tmp_path):
    (tmp_path / "file").write_text("mine")
    with pytest.raises(OSError, match="`folder` must be.*is a file"):
        task_with("additive").export(tmp_path / "file")
    assert (tmp_path / "file").read_text() == "mine"


@pytest.mark.parametrize("name", ["x=[1,2]", "a*"])
def test_a_target_that_tensorflow_could_not_load(tmp_path, name):
    with pytest.raises(ValueError, match="`folder` must be UTF-8 without"):
        task_with("additive").export(tmp_path / name)
    assert not any(tmp_path.iterdir())


def test_an_export_ends_with_its_parent(tmp_path):
    """A closed standard input is what the system leaves of a parent."""
    scratch = tmp_path / "scratch"
    task_with("additive").save(scratch / "task")
    command = [sys.executable, "-m", "keras_seq2seq.export"]
    command += [f"--scratch={scratch}", str(scratch / "task")]
    done = subprocess.run(
        [*command, str(tmp_path / "served")],
        env={**os.environ, "KERAS_BACKEND": "tensorflow"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    assert done.returncode != 0
    assert not any(tmp_path.iterdir()), done.stderr


def test_a_class_of_main(monkeypatch, own_cells, tmp_path):
    task = task_with(own_cells.OwnScore())
    monkeypatch.setattr(own_cells.OwnScore, "__module__", "__main__")
    with pytest.raises(ValueError, match="`OwnScore`, defined in `__main__`"):
        task.export(tmp_path / "served")
    assert not (tmp_path / "served").exists()


def test_without_tensorflow(monkeypatch, tmp_path):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ImportError, match=r"keras-seq2seq\[tensorflow\]"):
        task_with("additive").export(tmp_path / "served")
