"""Other processes that answer requests."""

import importlib.util
import json
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
QUIET = {"TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": "-1"}


def standalone_answers(folder, requests):
    """Answers by TensorFlow alone; see `standalone.py`."""
    done = subprocess.run(
        [sys.executable, HERE / "standalone.py", folder],
        input=json.dumps(requests),
        env={**os.environ, **QUIET},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def tensorflow_folder():
    spec = importlib.util.find_spec("tensorflow")
    return pathlib.Path(spec.submodule_search_locations[0])


def build_probe(path):
    """Compile `serving_probe.cc` against the installed TensorFlow."""
    folder = tensorflow_folder()
    done = subprocess.run(
        [
            *("g++", "-w", "-std=c++17", "-O1", HERE / "serving_probe.cc"),
            *("-o", path, "-isystem", folder / "include", f"-L{folder}"),
            *("-D_GLIBCXX_USE_CXX11_ABI=1", "-DEIGEN_MAX_ALIGN_BYTES=64"),
            # or the linker drops the library with the session in it
            "-Wl,--no-as-needed",
            *("-l:libtensorflow_cc.so.2", "-l:libtensorflow_framework.so.2"),
            f"-Wl,-rpath,{folder}",
        ],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr


def run_probe(probe, *arguments):
    """The finished process; no Python runs in it."""
    return subprocess.run(
        [probe, *arguments],
        env={**os.environ, **QUIET},
        capture_output=True,
        text=True,
    )
