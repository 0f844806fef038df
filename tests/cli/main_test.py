import os
import sys
import warnings

import keras
import pytest

from keras_seq2seq.cli import backend
from keras_seq2seq.cli import generate
from keras_seq2seq.cli import main
from keras_seq2seq.metrics.registry import METRICS
from keras_seq2seq.models import PRESETS

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


OWN_CHOICES = """
import keras

from keras_seq2seq.metrics.registry import METRICS
from keras_seq2seq.models import PRESETS
from keras_seq2seq.search import GreedySearch
from keras_seq2seq.search.penalties import LengthPenalty
from keras_seq2seq.text import CharacterTokenizer

register = keras.saving.register_keras_serializable("mine")


@register
class ShySearch(GreedySearch):
    pass


@register
class ShyPenalty(LengthPenalty):
    pass


@register
class ShyTokenizer(CharacterTokenizer):
    pass


METRICS["shy"] = PRESETS["shy"] = print
"""


@pytest.fixture
def own_choices(monkeypatch, tmp_path):
    """A module of a user's in the current folder, forgotten afterwards."""
    (tmp_path / "own_choices.py").write_text(OWN_CHOICES)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    for known in (METRICS, PRESETS):
        monkeypatch.setitem(known, "shy", None)  # to be taken out again
        del known["shy"]
    yield "own_choices"
    sys.modules.pop("own_choices", None)
    known = keras.saving.get_custom_objects()
    for name in ("ShySearch", "ShyPenalty", "ShyTokenizer"):
        known.pop(f"mine>{name}", None)


@pytest.mark.parametrize(
    "line",
    [
        "train x --out y --preset shy",
        "train x --out y --source-tokenizer shy",
        "train x --out y --target-tokenizer shy",
        "generate x --search shy",
        "generate x --length-penalty shy",
        "evaluate x y --metrics shy",
        "export x y --searches shy",
        "demo --preset shy",
    ],
)
def test_choices_of_ones_own(line, own_choices, monkeypatch, capsys):
    command, *_ = arguments = line.split()
    asked = []
    monkeypatch.setattr(main.COMMANDS[command], "run", asked.append)
    with pytest.raises(SystemExit):
        main.run(arguments)
    assert "invalid choice: 'shy'" in capsys.readouterr().err
    assert main.run([*arguments, "--import", own_choices]) == 0
    assert main.run([command, "--import=own_choices", *arguments[1:]]) == 0
    assert len(asked) == 2


def test_import_without_a_module(capsys):
    with pytest.raises(SystemExit):
        main.run(["generate", "task", "--import"])
    error = capsys.readouterr().err
    assert "keras-seq2seq generate" in error
    assert "--import: expected one argument" in error


@pytest.mark.parametrize("text", ["raise KeyError('k')", "def f(:", "1 / 0"])
def test_modules_that_fail(text, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    (tmp_path / "failing_module.py").write_text(text)
    arguments = ["generate", "task", "a", "--import", "failing_module"]
    assert main.run(arguments) == 2
    error = capsys.readouterr().err
    assert "--import failing_module, where this fails" in error
    assert error.count("\n") == 1


def test_one_line_without_colours(monkeypatch, capsys):
    def refused(folder):
        raise ValueError("Exception in \x1b[1mDense.call()\x1b[0m.\n\n  no")

    monkeypatch.setattr(generate.tasks, "load", refused)
    assert main.run(["generate", "task", "a"]) == 2
    expected = "keras-seq2seq: error: Exception in Dense.call(). no\n"
    assert capsys.readouterr().err == expected
    main.run(["generate", "task", "a", "--debug"])
    error = capsys.readouterr().err
    assert "Traceback" in error and "\x1b" not in error


@pytest.mark.filterwarnings("default")
def test_warnings_in_one_line(monkeypatch, capsys):
    def warned(options):
        warnings.warn("\x1b[1mtake\x1b[0m\ncare")

    monkeypatch.setattr(generate, "run", warned)
    assert main.run(["generate", "task", "a"]) == 0
    assert capsys.readouterr().err == "keras-seq2seq: warning: take care\n"


@pytest.mark.filterwarnings("default")
def test_names_are_those_of_the_options(monkeypatch, capsys):
    """Messages are written for Python; a command has its own names."""
    message = (
        "`num_beams` of `model` and `prefixes[0]`, see `seed`. num_beams=0"
    )
    shown = (
        "`--num-beams` of `model` and `prefixes[0]`, see `--seed`. num_beams=0"
    )

    def refused(options):
        warnings.warn(message)
        raise ValueError(message)

    monkeypatch.setattr(generate, "run", refused)
    assert main.run(["generate", "task", "a"]) == 2
    warning, error = capsys.readouterr().err.splitlines()
    assert warning == f"keras-seq2seq: warning: {shown}"
    assert error == f"keras-seq2seq: error: {shown}"


def test_a_command_without_the_option_leaves_a_name_alone(monkeypatch, capsys):
    def refused(options):
        raise ValueError("`num_beams` and `n_best` do not agree")

    monkeypatch.setattr(main.COMMANDS["export"], "run", refused)
    assert main.run(["export", "task", "folder"]) == 2
    expected = "keras-seq2seq: error: `num_beams` and `--n-best` do not agree\n"
    assert capsys.readouterr().err == expected


def test_closed_output(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdout", None)
    assert main.run(["generate", "task", "a"]) == 2
    error = capsys.readouterr().err
    assert error.startswith("keras-seq2seq: error: Standard output must be")
    assert error.count("\n") == 1


def test_full_disk(monkeypatch, capsys):
    monkeypatch.setattr(generate, "run", lambda options: print("answer"))
    with open("/dev/full", "w") as full:
        monkeypatch.setattr(sys, "stdout", full)
        assert main.run(["generate", "task", "a"]) == 2
        monkeypatch.undo()
        with pytest.raises(OSError):
            full.close()
    assert "No space left" in capsys.readouterr().err


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


@pytest.mark.parametrize("command", main.COMMANDS)
def test_help_has_an_example(command, capsys):
    with pytest.raises(SystemExit):
        main.run([command, "--help"])
    assert f"\n    keras-seq2seq {command} " in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments",
    [
        "folder --output x one two --json",
        "--json folder one --output x two",
        "--output=x folder one two --json",
        "folder --json --output x -- one two",
    ],
)
def test_texts_may_stand_between_options(arguments):
    options = main.parser().parse_args(["generate", *arguments.split()])
    assert options.task == "folder" and options.texts == ["one", "two"]
    assert options.output == "x" and options.json


def test_texts_that_look_like_options():
    options = main.parser().parse_args(["generate", "x", "--", "-1", "--json"])
    assert options.texts == ["-1", "--json"] and not options.json
