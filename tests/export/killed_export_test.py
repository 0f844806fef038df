"""An export that is killed leaves no version that a server could load."""

import os
import signal
import subprocess
import sys

import keras
import pytest

from keras_seq2seq.utils import unfinished
from tests.helpers.export.processes import HERE
from tests.helpers.export.processes import QUIET

if keras.backend.backend() != "tensorflow":
    pytest.skip("exports under TensorFlow", allow_module_level=True)

POINTS = {  # and what is written then
    "run_smoke_test": False,
    "check_graph": True,
    "rename": True,
}


def test_killed_exports(tmp_path):
    done = subprocess.run(
        [sys.executable, HERE / "killed_export.py", tmp_path, *POINTS],
        env={**os.environ, **QUIET},
        capture_output=True,
        text=True,
    )
    killed = [f"{point} {-signal.SIGKILL}" for point in POINTS]
    assert done.stdout.splitlines() == killed, done.stderr
    for point, is_written in POINTS.items():
        names = os.listdir(tmp_path / point)
        assert all(name.startswith(".1.") for name in names), names
        graphs = list((tmp_path / point).rglob("saved_model.pb"))
        assert bool(graphs) == is_written
        unfinished.tidy(tmp_path / point)
        assert os.listdir(tmp_path / point) == []
