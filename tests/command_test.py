"""The command, before Keras is there."""

import os
import pathlib
import subprocess
import sys

import pytest

COMMAND = "from keras_seq2seq_command import main; main()"
INTERRUPTED = """
import signal

signal.raise_signal(signal.SIGINT)
raise ImportError("this is no Keras")
"""


def interrupted_command(folder, before=""):
    """The command where Ctrl-C comes while it imports Keras."""
    (folder / "keras.py").write_text(INTERRUPTED)
    root = pathlib.Path(__file__).parents[1]
    path = os.pathsep.join(map(str, (folder, root)))
    return subprocess.run(
        [sys.executable, "-c", before + COMMAND, "generate", "task", "a"],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
    )


def test_interruption_while_keras_is_imported(tmp_path):
    done = interrupted_command(tmp_path)
    assert done.stderr == "keras-seq2seq: interrupted\n"
    assert (done.returncode, done.stdout) == (130, "")


def test_what_ignores_interruptions_goes_on(tmp_path):
    ignore = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN); "
    done = interrupted_command(tmp_path, before=ignore)
    assert done.stderr.endswith("ImportError: this is no Keras\n")


def test_the_script_is_this_command():
    tomllib = pytest.importorskip("tomllib")
    root = pathlib.Path(__file__).parents[1]
    with open(root / "pyproject.toml", "rb") as file:
        settings = tomllib.load(file)
    scripts = settings["project"]["scripts"]
    assert scripts == {"keras-seq2seq": "keras_seq2seq_command:main"}
    modules = settings["tool"]["setuptools"]["py-modules"]
    assert modules == ["keras_seq2seq_command"]
