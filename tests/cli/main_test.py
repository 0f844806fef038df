import os
import sys

import keras
import pytest

from keras_seq2seq.cli import backend
from keras_seq2seq.cli import generate
from keras_seq2seq.cli import main

OTHER = {"tensorflow": "jax", "jax": "torch", "torch": "jax"}


def other_backend():
    return OTHER[keras.backend.backend()]


@pytest.mark.parametrize("command", main.COMMANDS)
def test_each_command_has_help(command, capsys):
    with pytest.raises(SystemExit) as stopped:
        main.run([command, "--help"])
    assert stopped.value.code == 0
    assert "--backend {tensorflow,jax,torch}" in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["sing"],
        ["generate"],
        ["generate", "task", "--n-best", "0"],
        ["demo", "--minutes", "nan"],
        ["demo", "--words", "-1"],
        ["train", "x.tsv", "--out", "y", "--preset", "z"],
        ["evaluate", "task", "cmudict", "--backend", "theano"],
    ],
)
def test_wrong_arguments(arguments, capsys):
    with pytest.raises(SystemExit) as stopped:
        main.run(arguments)
    assert stopped.value.code == 2
    assert "error:" in capsys.readouterr().err


def test_error_in_one_line(tmp_path, capsys):
    assert main.run(["generate", str(tmp_path / "none"), "a"]) == 2
    error = capsys.readouterr().err
    assert error.startswith("keras-seq2seq: error: `folder` must hold")
    assert error.count("\n") == 1


def test_debug_shows_the_traceback(tmp_path, capsys):
    main.run(["generate", str(tmp_path / "none"), "a", "--debug"])
    assert "Traceback" in capsys.readouterr().err


def test_interruption(monkeypatch, capsys):
    def interrupted(folder):
        raise KeyboardInterrupt

    monkeypatch.setattr(generate.tasks, "load", interrupted)
    assert main.run(["generate", "task", "a"]) == 130
    assert capsys.readouterr().err == "keras-seq2seq: interrupted\n"


def test_other_backend_starts_again(monkeypatch):
    class Restarted(BaseException):
        pass

    def execve(program, arguments, environment):
        assert program == arguments[0] == sys.executable
        assert arguments[1:] == ["-m", "keras_seq2seq", *sys.argv[1:]]
        assert environment["KERAS_BACKEND"] == other_backend()
        raise Restarted

    arguments = ["generate", "task", "--backend", other_backend()]
    monkeypatch.setattr(os, "execve", execve)
    monkeypatch.setattr(backend, "is_installed", lambda package: True)
    monkeypatch.setattr(sys, "argv", ["keras-seq2seq", *arguments])
    monkeypatch.setattr(
        sys, "orig_argv", ["python", "-m", "keras_seq2seq", *arguments]
    )
    monkeypatch.delenv("KERAS_BACKEND", raising=False)
    with pytest.raises(Restarted):
        main.run()


def test_other_backend_from_python(monkeypatch, capsys):
    monkeypatch.setattr(backend, "is_installed", lambda package: True)
    monkeypatch.delenv("KERAS_BACKEND", raising=False)
    arguments = ["generate", "task", "a", "--backend", other_backend()]
    assert main.run(arguments) == 2
    assert "Set KERAS_BACKEND" in capsys.readouterr().err


def test_backend_that_is_not_installed(monkeypatch, capsys):
    monkeypatch.setattr(backend, "is_installed", lambda package: False)
    monkeypatch.delenv("KERAS_BACKEND", raising=False)
    arguments = ["generate", "task", "a", "--backend", other_backend()]
    assert main.run(arguments) == 2
    assert "pip install" in capsys.readouterr().err
