"""`keras-seq2seq call`: what it asks, and how it prints the answers."""

import json

import numpy as np
import pytest

from keras_seq2seq.cli import call
from keras_seq2seq.cli import main
from keras_seq2seq.export.client import Unavailable

ROWS = {
    "serving_default": {"text": "K EH", "score": np.float64(-0.5)},
    "n_best": {
        "texts": np.array(["K EH", "K", ""], object),
        "scores": np.array([-0.5, -1.25, -1e9]),
        "lengths": np.array([3, 2, 0]),
    },
    "score": {"log_prob": np.float64(-2.0)},
    "other": {"text": "a text of another model"},
}
DEFAULTS = {"timeout": 10.0, "batch_size": 64, "max_answer_bytes": 67_108_864}


@pytest.fixture
def asked(monkeypatch):
    """List of what was asked, of a client that knows the answers."""
    asked = []

    class FakeClient:
        def __init__(self, url, **settings):
            asked.append((url, settings))

        def rows(self, inputs, signature):
            if signature == "away":
                raise Unavailable("No server answers at URL.")
            asked.append((signature, inputs))
            return [ROWS[signature]] * len(inputs["text"])

    monkeypatch.setattr(call, "Client", FakeClient)
    return asked


def test_best(asked, capsys):
    assert main.run(["call", "http://a/m", "ke", "attention"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines == ["ke\t-0.5000\tK EH", "attention\t-0.5000\tK EH"]
    assert asked == [
        ("http://a/m", DEFAULTS),
        ("serving_default", {"text": ["ke", "attention"]}),
    ]


def test_several_answers_a_text(asked, capsys):
    options = ["--signature", "n_best", "--seed", "7", "--prefix", "K"]
    assert main.run(["call", "http://a/m", "ke", "a", *options]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["ke\t-0.5000\tK EH", "ke\t-1.2500\tK"]
    assert len(lines) == 4
    inputs = {"text": ["ke", "a"], "seed": [7, 8], "prefix": ["K", "K"]}
    assert asked[1] == ("n_best", inputs)


def test_json(asked, capsys):
    arguments = ["call", "http://a/m", "ke", "--json", "--signature"]
    assert main.run([*arguments, "n_best"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["of"] == "ke" and found["lengths"] == [3, 2, 0]
    assert main.run([*arguments, "score"]) == 0
    assert json.loads(capsys.readouterr().out) == {"of": "ke", "log_prob": -2.0}


def test_what_is_no_signature_of_ours_is_json(asked, capsys):
    arguments = ["call", "http://a/m", "ke", "--signature", "other"]
    assert main.run([*arguments, "--max-answer-bytes", "9"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found == {"of": "ke", **ROWS["other"]}
    assert asked[0][1] == {**DEFAULTS, "max_answer_bytes": 9}


def test_errors(asked, capsys):
    assert main.run(["call", "http://a/m", "ke", "--signature", "away"]) == 2
    error = capsys.readouterr().err
    assert error == "keras-seq2seq: error: No server answers at URL.\n"


def test_a_url_without_a_model(capsys):
    assert main.run(["call", "localhost:8501", "ke"]) == 2
    assert "`url` must name scheme" in capsys.readouterr().err
