"""A task whose source side is KerasHub's."""

import os
import pathlib
import subprocess
import sys

import keras
import numpy as np
import pytest

import keras_seq2seq as k2s
from keras_seq2seq.testing import assert_close
from tests.helpers.transformers import parts

keras_hub = pytest.importorskip("keras_hub", exc_type=ImportError)
PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "fox", "dog", "cat"]
PAIRS = [("fox dog", "ab"), ("dog", "b"), ("cat fox", "ca")]
ROOT = pathlib.Path(k2s.__file__).parents[1]


@pytest.fixture(scope="module")
def task():
    keras.utils.set_random_seed(0)
    backbone = keras_hub.models.BertBackbone(
        vocabulary_size=len(PIECES),
        num_layers=1,
        num_heads=2,
        hidden_dim=4,
        intermediate_dim=6,
        max_sequence_length=9,
    )
    source = k2s.text.HubTokenizer(
        keras_hub.tokenizers.BertTokenizer(PIECES),
        before=["[CLS]"],
        after=["[SEP]"],
    )
    target = k2s.text.CharacterTokenizer.from_texts(["abc"])
    model = k2s.models.Seq2Seq(
        k2s.layers.BackboneEncoder(backbone),
        parts()[1],
        source_vocabulary_size=len(source.vocabulary),
        target_vocabulary_size=len(target.vocabulary),
        embedding_dim=4,
    )
    task = k2s.tasks.TextToText(model, source, target)
    task.compile(search=k2s.search.BeamSearch(num_beams=2, max_length=5))
    return task


def test_from_strings_to_strings(task):
    before = task.model.encoder.backbone.get_weights()
    task.fit(PAIRS, epochs=1, batch_size=2, verbose=0)
    assert_close(task.model.encoder.backbone.get_weights(), before, tolerance=0)
    (best,) = task.generate(["fox dog"], return_attention_scores=True)[0]
    assert best.attention_scores.shape[1] == 4  # with [CLS] and [SEP]
    assert np.all(np.isfinite(task.score(PAIRS)))


def test_folder_in_a_new_process(task, tmp_path):
    task.save(tmp_path / "task")
    expected = task.score(PAIRS)
    code = (
        "import sys, keras_seq2seq as k2s\n"
        "task = k2s.tasks.load(sys.argv[1])\n"
        f"print(task.score({PAIRS!r}))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "task")],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    scores = eval(done.stdout.strip().splitlines()[-1])
    np.testing.assert_allclose(scores, expected, atol=1e-5)


def test_a_source_longer_than_the_positions(task):
    with pytest.raises(ValueError, match="9"):
        task.generate(["fox " * 20])


def test_export_says_why_not(task, tmp_path):
    from keras_seq2seq.export import export_saved_model

    if keras.backend.backend() != "tensorflow":
        pytest.skip("in the process of the export")
    with pytest.raises(NotImplementedError, match="core TensorFlow ops"):
        export_saved_model(task, tmp_path / "served")
