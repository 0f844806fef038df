import os
import shutil
import subprocess
import sys

import pytest

from keras_seq2seq.cli import pronounce

tf = pytest.importorskip("tensorflow")


class Shout(tf.Module):
    @tf.function(input_signature=[tf.TensorSpec([None], tf.string, "text")])
    def serve(self, text):
        score = tf.cast(tf.strings.length(text), "float32")
        return {"text": tf.strings.upper(text), "score": score}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("shout")
    module = Shout()
    tf.saved_model.save(
        module,
        folder / "9",
        signatures={"serving_default": module.serve},
    )
    shutil.copytree(folder / "9", folder / "10")
    (folder / "11").mkdir()  # half written, or no version at all
    return folder


def test_answers_in_a_fresh_process(folder, tmp_path):
    # Whatever sits in the way of Keras, this process must not notice.
    for name in pronounce.BLOCKED:
        (tmp_path / f"{name}.py").write_text("raise SystemExit('imported')")
    done = subprocess.run(
        [sys.executable, pronounce.__file__, str(folder), "keras", "\u00e9a"],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "keras\t5.000\tKERAS\n\u00e9a\t3.000\t\u00e9A\n"


def test_newest_version(folder):
    assert pronounce.newest(folder) == str(folder / "10")
    assert pronounce.newest(folder / "9") == str(folder / "9")


def test_no_model(tmp_path):
    with pytest.raises(SystemExit, match="must hold a SavedModel"):
        pronounce.newest(tmp_path)
