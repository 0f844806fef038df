"""The command, before Keras is there."""

import os
import pathlib
import subprocess
import sys

import pytest

import keras_seq2seq_command

COMMAND = "from keras_seq2seq_command import main; main()"
WAYS = {
    "script": lambda before: ["-c", before + COMMAND],
    "package": lambda before: ["-m", "keras_seq2seq"],
}
INTERRUPTED = """
import signal

signal.raise_signal(signal.SIGINT)
raise ImportError("this is no Keras")
"""


@pytest.fixture(params=WAYS)
def way(request):
    """The script, or `python -m keras_seq2seq`: they must be one."""
    return WAYS[request.param]


def command(
    folder, way, before="", environment=os.environ, more=(), name="generate"
):
    """The command, with a `keras.py` of that folder."""
    root = pathlib.Path(__file__).parents[1]
    path = os.pathsep.join(map(str, (folder, root)))
    return subprocess.run(
        [
            sys.executable,
            *way(before),
            name,
            "task",
            "a",
            *more,
        ],
        env={**environment, "PYTHONPATH": path},
        capture_output=True,
        text=True,
    )


def test_interruption_while_keras_is_imported(tmp_path, way):
    (tmp_path / "keras.py").write_text(INTERRUPTED)
    done = command(tmp_path, way)
    assert done.stderr == "keras-seq2seq: interrupted\n"
    assert (done.returncode, done.stdout) == (130, "")


def test_who_trains_sees_a_line_before_keras_is_imported(tmp_path, way):
    (tmp_path / "keras.py").write_text(INTERRUPTED)
    done = command(tmp_path, way, name="train")
    assert done.stderr == "Loading Keras\nkeras-seq2seq: interrupted\n"


def test_what_ignores_interruptions_goes_on(tmp_path):
    ignore = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN); "
    (tmp_path / "keras.py").write_text(INTERRUPTED)
    done = command(tmp_path, WAYS["script"], before=ignore)
    assert done.stderr.endswith("ImportError: this is no Keras\n")


BACKEND = """
import os

print(os.environ.get("KERAS_BACKEND"), os.environ["TF_CPP_MIN_LOG_LEVEL"])
raise SystemExit
"""


@pytest.mark.parametrize(
    "arguments, expected",
    [
        ([], "None"),
        (["--backend", "torch"], "torch"),
        (["--backend=jax"], "jax"),
        (["--backend"], "None"),
        (["--backend", "numpy"], "None"),  # the parser refuses it
    ],
)
def test_keras_is_told_its_backend(arguments, expected, tmp_path, way):
    """Where one backend alone is installed, importing another one fails."""
    (tmp_path / "keras.py").write_text(BACKEND)
    for name in ("torch", "jax"):
        (tmp_path / f"{name}.py").touch()
    hidden = "KERAS_BACKEND", "TF_CPP_MIN_LOG_LEVEL"
    environment = {n: x for n, x in os.environ.items() if n not in hidden}
    done = command(tmp_path, way, environment=environment, more=arguments)
    assert done.stdout == f"{expected} 3\n"


LOGS = """
import os

os.write(2, b"I0000 00:00:1.5   7 port.cc:153] oneDNN is on.\\n")
os.write(2, b"WARNING: All log messages before absl::InitializeLog() is\\n")
os.write(2, b"F0000 00:00:1.5   7 cpu.cc:2] no AVX\\nW is no log\\n")
os.abort()
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing is filtered")
@pytest.mark.parametrize("level, lines", [("3", 2), ("0", 4)])
def test_the_log_of_an_import_is_left_out(tmp_path, way, level, lines):
    (tmp_path / "keras.py").write_text(LOGS)
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": level}
    shown = command(tmp_path, way, environment=environment).stderr
    assert shown.endswith("cpu.cc:2] no AVX\nW is no log\n")
    assert shown.count("\n") == lines


SHOWN = """
import os

print(os.environ["JAX_COMPILATION_CACHE_DIR"])
raise SystemExit
"""


@pytest.mark.parametrize(
    "settings, expected",
    [
        ({"KERAS_HOME": "/k"}, "/k/keras_seq2seq/jax"),
        ({"HOME": "{folder}"}, "{folder}/.keras/keras_seq2seq/jax"),
        ({"JAX_COMPILATION_CACHE_DIR": "/mine", "KERAS_HOME": "/k"}, "/mine"),
    ],
)
def test_jax_keeps_what_it_compiles(tmp_path, way, settings, expected):
    (tmp_path / "keras.py").write_text(SHOWN)
    known = ("KERAS_HOME", "JAX_COMPILATION_CACHE_DIR")
    environment = {n: x for n, x in os.environ.items() if n not in known}
    environment |= {n: x.format(folder=tmp_path) for n, x in settings.items()}
    done = command(tmp_path, way, environment=environment)
    assert done.stdout == expected.format(folder=tmp_path) + "\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ["-c", "import keras_seq2seq"],
        ["-m", "keras_seq2seq.export"],
        ["-c", "import keras_seq2seq", "-m", "keras_seq2seq"],
    ],
)
def test_the_library_sets_nothing(arguments, tmp_path):
    hidden = {"JAX_COMPILATION_CACHE_DIR", "TF_CPP_MIN_LOG_LEVEL"}
    (tmp_path / "keras.py").write_text(
        "import os, signal\n"
        f"print(*({hidden} & os.environ.keys()))\n"
        "print(signal.getsignal(signal.SIGINT).__name__)\n"
        "raise SystemExit"
    )
    environment = {n: x for n, x in os.environ.items() if n not in hidden}
    done = command(tmp_path, lambda _: arguments, environment=environment)
    assert done.stdout == "\ndefault_int_handler\n"


def test_a_backend_that_is_not_installed(tmp_path, monkeypatch):
    """Keras keeps its own, so that the command can say so."""
    monkeypatch.setattr(keras_seq2seq_command, "BACKENDS", ("no_backend",))
    assert keras_seq2seq_command._backend(["--backend=no_backend"]) is None
    monkeypatch.setattr(keras_seq2seq_command, "BACKENDS", ("json",))
    assert keras_seq2seq_command._backend(["--backend=json"]) == "json"


def test_the_script_is_this_command():
    tomllib = pytest.importorskip("tomllib")
    root = pathlib.Path(__file__).parents[1]
    with open(root / "pyproject.toml", "rb") as file:
        settings = tomllib.load(file)
    scripts = settings["project"]["scripts"]
    assert scripts == {"keras-seq2seq": "keras_seq2seq_command:main"}
    modules = settings["tool"]["setuptools"]["py-modules"]
    assert modules == ["keras_seq2seq_command"]
