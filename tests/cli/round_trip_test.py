"""Train, generate, evaluate, plot and export, as one types it."""

import importlib
import io
import json
import re
import sys

import keras
import numpy as np
import pytest

from keras_seq2seq import tasks
from keras_seq2seq.cli import main
from keras_seq2seq.layers import DotProductScore
from keras_seq2seq.search import BeamSearch
from keras_seq2seq.tasks import TextToText

PAIRS = [(a + b, f"{a.upper()} {b.upper()}") for a in "abcde" for b in "fghi"]

OWN_PENALTY = """
import keras

from keras_seq2seq.search.penalties import LengthPenalty


@keras.saving.register_keras_serializable("mine")
class HalfPenalty(LengthPenalty):
    def __call__(self, log_probs, length, inputs):
        return log_probs / 2
"""


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    path = tmp_path_factory.mktemp("corpus") / "pairs.tsv"
    path.write_text("".join(f"{s}\t{t}\n" for s, t in PAIRS), encoding="utf-8")
    return str(path)


@pytest.fixture(scope="module")
def task(corpus, tmp_path_factory):
    folder = str(tmp_path_factory.mktemp("runs") / "task")
    small = "--units 8 --embedding-dim 4 --dropout 0 --target-tokenizer symbol"
    small += " --no-optimizer --set cell=gru --set attention=dot"
    sizes = "--epochs 80 --batch-size 20 --learning-rate 0.05 --seed 1"
    arguments = [
        "train",
        corpus,
        "--out",
        folder,
        "--preset",
        "luong_2015_small",
    ]
    assert main.run([*arguments, *small.split(), *sizes.split()]) == 0
    return folder


def test_train_without_the_optimizer(task):
    assert not tasks.load(task).model.compiled


def test_settings_of_the_preset_reach_it(task):
    cell = tasks.load(task).model.decoder.cell
    assert isinstance(cell.cell, keras.layers.GRUCell)
    assert isinstance(cell.attention.score, DotProductScore)


def test_settings_that_nobody_has(corpus, tmp_path, capsys):
    command = ["train", corpus, "--out", str(tmp_path / "task")]
    assert main.run([*command, "--set", "cells=gru"]) == 2
    assert "has the settings" in capsys.readouterr().err
    assert main.run([*command, "--set", "cell=grue"]) == 2
    assert "`cell` must be one of" in capsys.readouterr().err


def answers(task, *texts):
    return tasks.load(task).generate(list(texts))


def test_generate(task, capsys):
    assert main.run(["generate", task, "af", "eh"]) == 0
    assert capsys.readouterr().out.splitlines() == answers(task, "af", "eh")


def test_generate_from_standard_input(task, capsys, monkeypatch):
    typed(monkeypatch, b"bg\nci\n")
    assert main.run(["generate", task]) == 0
    assert capsys.readouterr().out.splitlines() == answers(task, "bg", "ci")


def typed(monkeypatch, written):
    stream = io.TextIOWrapper(io.BytesIO(written), encoding="utf-8")
    monkeypatch.setattr("sys.stdin", stream)


def test_generate_answers_each_line_once(task, capsys, monkeypatch):
    texts = ["ab\rgaf", "ci" * 8, "", "d\u2028h"]
    typed(monkeypatch, "{}\r\n{}\n{}\n{}".format(*texts).encode())
    assert main.run(["generate", task]) == 0
    found = capsys.readouterr().out.split("\n")[:-1]
    assert found == answers(task, *texts)


def test_generate_answers_the_lines_around_a_broken_one(
    task, capsys, monkeypatch
):
    written = "af\ncaf\xe9\n{}\neh\n".format("a" * 20_000)
    typed(monkeypatch, written.encode("latin-1"))
    assert main.run(["generate", task]) == 0
    out, error = capsys.readouterr()
    first, last = answers(task, "af", "eh")
    assert out.splitlines() == [first, "", "", last]
    assert error.splitlines() == [
        "keras-seq2seq: warning: 1 lines without an answer, not UTF-8: 2",
        "keras-seq2seq: warning: 1 lines without an answer, too long for the "
        "model: 3",
    ]


def test_generate_from_what_is_no_text(task, capsys, monkeypatch):
    typed(monkeypatch, "af\n".encode("utf-16"))
    assert main.run(["generate", task]) == 2
    out, error = capsys.readouterr()
    assert not out and error.count("\n") == 1
    assert "standard input, line 1, not valid from byte 0" in error
    assert "iconv -f utf-16" in error
    with pytest.raises(SystemExit):  # as Python hands on the byte E9
        main.run(["generate", task, "caf\udce9"])
    assert r"expected text in UTF-8, received 'caf\udce9'" in (
        capsys.readouterr().err
    )


def test_generate_json_to_a_file(task, capsys, monkeypatch, tmp_path):
    typed(monkeypatch, b"bg\n\xe9\nci\n")
    path = tmp_path / "answers.jsonl"
    options = ["--output", str(path), "--json", "--attention-scores"]
    assert main.run(["generate", task, *options]) == 0
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    assert [row["text"] for row in rows] == ["bg", None, "ci"]
    assert rows[1]["answers"] == []
    (answer,) = rows[2]["answers"]
    (best,) = tasks.load(task).generate(
        ["ci"], n_best=1, return_attention_scores=True
    )[0]
    assert (answer["text"], answer["tokens"]) == (best.text, best.tokens)
    assert answer["score"] == pytest.approx(best.score, abs=1e-4)
    np.testing.assert_allclose(
        answer["attention_scores"], best.attention_scores, atol=1e-4
    )
    assert [*tmp_path.iterdir()] == [path]
    assert main.run(["generate", task, "bg", "--attention-scores"]) == 2
    assert "`--attention-scores` needs `--json`" in capsys.readouterr().err
    assert main.run(["generate", task, "a", "--output", str(tmp_path)]) == 2
    assert "is a folder" in capsys.readouterr().err


def test_generate_from_a_closed_input(task, capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", None)
    assert main.run(["generate", task]) == 2
    error = capsys.readouterr().err
    assert "Standard input must be open" in error and error.count("\n") == 1


def test_generate_n_best_from_a_file(task, capsys, tmp_path):
    (tmp_path / "texts").write_text("bg\nci\n")
    arguments = ["--file", str(tmp_path / "texts"), "--n-best", "2"]
    assert main.run(["generate", task, *arguments]) == 0
    lines = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    assert [line[0] for line in lines] == ["bg", "bg", "ci", "ci"]
    assert [lines[0][2], lines[2][2]] == answers(task, "bg", "ci")
    assert float(lines[0][1]) > float(lines[1][1])


def test_generate_from_both(task, capsys):
    assert main.run(["generate", task, "a", "--file", "x"]) == 2
    assert "not both" in capsys.readouterr().err


def lines_of(capsys, *arguments):
    assert main.run(["generate", *arguments]) == 0
    return capsys.readouterr().out.splitlines()


def test_generate_with_another_search(task, capsys):
    (line,) = lines_of(
        capsys, task, "af", "--search", "beam", "--length-penalty", "avg"
    )
    assert line == answers(task, "af")[0]
    beams = "--num-beams 2 --no-repeat-ngram 1 --ban A F --max-length 3"
    (line,) = lines_of(capsys, task, "af", *beams.split())
    tokens = line.split()
    assert not {"A", "F"} & set(tokens) and len(set(tokens)) == len(tokens)
    long = "--length-ratio 3 3".split()  # the end token counted
    (line,) = lines_of(capsys, task, "af", *long)
    assert len(line.split()) == 5


def test_generate_samples_with_a_seed_and_a_prefix(task, capsys):
    options = ["--search", "sampling", "--seed", "3", "--prefix", "B G"]
    first = lines_of(capsys, task, "af", "eh", *options, "--n-best", "2")
    assert first == lines_of(capsys, task, "af", "eh", *options, "--n-best=2")
    assert [line.split("\t")[2][:3] for line in first] == ["B G"] * 4


@pytest.mark.parametrize(
    "options, problem",
    [
        ("--top-k 3", "`--top-k` is no option of a `BeamSearch`"),
        ("--search greedy --num-beams 3", "`--num-beams` is no option"),
        ("--ban Q", "`--ban` takes tokens of the target.*--ban Q"),
        ("--seed 3", "`--seed` needs a search that reads it.*`Sampling`"),
        ("--search sampling --top-p 1.5", "`--top-p` must be a number in"),
        ("--min-length 9 --max-length 3", "`--min-length`.*`--max-length`"),
        (
            "--search diverse_beam --num-beams 3 --num-groups 2",
            "`--num-beams` must be a multiple of `--num-groups`",
        ),
        ("--prefix Q", "`--prefix` must consist of tokens"),
    ],
)
def test_generate_options_that_cannot_be(task, capsys, options, problem):
    assert main.run(["generate", task, "af", *options.split()]) == 2
    assert re.search(problem, capsys.readouterr().err)


def test_evaluate(task, corpus, capsys):
    assert main.run(["evaluate", task, corpus, "--metrics", "per", "wer"]) == 0
    lines = capsys.readouterr().out.splitlines()
    rates = tasks.load(task).evaluate(PAIRS)
    assert lines[:2] == [f"PER {rates['per']:.2%}", f"WER {rates['wer']:.2%}"]
    assert rates["wer"] < 0.8  # it has learned something
    assert lines[2].startswith("20 sources in ")


def test_evaluate_with_a_signature(task, corpus, capsys):
    pytest.importorskip("sacrebleu")
    names = ["exact_match", "chrf"]
    assert main.run(["evaluate", task, corpus, "--metrics", *names]) == 0
    lines = capsys.readouterr().out.splitlines()
    scores = tasks.load(task).evaluate(PAIRS, metrics=names)
    assert lines[0] == f"EXACT_MATCH {scores['exact_match']:.2%}"
    assert lines[1] == f"CHRF {scores['chrf']:.2f} ({scores['chrf'].signature})"


def test_evaluate_the_perplexity(task, corpus, capsys):
    assert main.run(["evaluate", task, corpus, "--metrics", "perplexity"]) == 0
    lines = capsys.readouterr().out.splitlines()
    found = tasks.load(task).evaluate(PAIRS, metrics=["perplexity"])
    assert lines[0] == f"PERPLEXITY {found['perplexity']:.2f}"


def test_score(task, corpus, capsys, tmp_path):
    assert main.run(["score", task, corpus]) == 0
    lines = capsys.readouterr().out.splitlines()
    expected = tasks.load(task).score(PAIRS)
    np.testing.assert_allclose([*map(float, lines)], expected, atol=1e-4)
    (tmp_path / "a").write_text("af\n")
    (tmp_path / "b").write_text("A F\n")
    files = ["--source", str(tmp_path / "a"), "--target", str(tmp_path / "b")]
    assert main.run(["score", task, *files, "--json"]) == 0
    row = json.loads(capsys.readouterr().out)
    assert row["tokens"] == ["A", "F"] and len(row["log_probs"]) == 3
    assert (row["source"], row["target"]) == ("af", "A F")
    expected = expected[PAIRS.index(("af", "A F"))]
    assert row["score"] == pytest.approx(expected, abs=1e-3)
    assert row["log_probs"] == [round(x, 4) for x in row["log_probs"]]
    assert sum(row["log_probs"]) == pytest.approx(row["score"], abs=1e-3)


def test_evaluate_some(task, corpus, capsys):
    assert main.run(["evaluate", task, corpus, "--limit", "3"]) == 0
    assert "3 sources in " in capsys.readouterr().out


def test_evaluate_a_language_model(tmp_path, corpus, capsys):
    names = tasks.TextCompletion.from_texts(
        ["ab"], "zaremba_2014", units=4, embedding_dim=3
    )
    names.save(tmp_path / "names")
    assert main.run(["evaluate", str(tmp_path / "names"), corpus]) == 2
    assert "for a language model" in capsys.readouterr().err


def test_classes_of_ones_own(task, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    (tmp_path / "own_penalty.py").write_text(OWN_PENALTY)
    with monkeypatch.context() as patch:
        patch.syspath_prepend(tmp_path)
        penalty = importlib.import_module("own_penalty").HalfPenalty()
    loaded = tasks.load(task)
    loaded.search = BeamSearch(2, max_length=5, length_penalty=penalty)
    loaded.save("own")
    keras.saving.get_custom_objects().pop("mine>HalfPenalty")
    monkeypatch.delitem(sys.modules, "own_penalty")
    assert main.run(["generate", "own", "af"]) == 2
    assert "HalfPenalty" in capsys.readouterr().err
    assert main.run(["generate", "own", "af", "--import", "own_penalty"]) == 0
    assert main.run(["generate", "own", "af", "--import", "none_such"]) == 2
    assert "none_such" in capsys.readouterr().err


@pytest.mark.parametrize("n_best", ["1", "3"])
def test_plot(task, tmp_path, capsys, n_best):
    pytest.importorskip("matplotlib")
    path = tmp_path / "attention.png"
    arguments = ["af", "--out", str(path), "--n-best", n_best]
    arguments += ["--font", "DejaVu Serif"]
    assert main.run(["plot", task, *arguments]) == 0
    assert path.read_bytes().startswith(b"\x89PNG")
    (best,) = answers(task, "af")
    assert capsys.readouterr().out.splitlines() == [f"af: {best}", str(path)]


def test_export(task, capsys, monkeypatch, tmp_path):
    asked = []

    def export(self, folder, **options):
        asked.append(options)
        return f"{folder}/1"

    monkeypatch.setattr(TextToText, "export", export)
    assert main.run(["export", task, "models/x"]) == 0
    assert capsys.readouterr().out == "models/x/1\n"
    examples = tmp_path / "examples"
    examples.write_text("af\neh\n")
    options = "--n-best 3 --signatures score --searches greedy sampling"
    options = f"{options} --examples {examples}"
    assert main.run(["export", task, "models/x", *options.split()]) == 0
    assert asked[0]["searches"] == {} and asked[0]["examples"] is None
    assert asked[1]["searches"].keys() == {"greedy", "sampling"}
    assert asked[1]["signatures"] == ["score"]
    assert asked[1]["n_best"] == 3 and asked[1]["source"] == task
    assert asked[1]["examples"] == ["af", "eh"]


def test_train_leaves_other_folders_alone(corpus, tmp_path, capsys):
    (tmp_path / "mine").write_text("mine")
    assert main.run(["train", corpus, "--out", str(tmp_path)]) == 2
    assert "something else" in capsys.readouterr().err
    assert main.run(["train", "none.tsv", "--out", str(tmp_path / "x")]) == 2
    assert "none.tsv" in capsys.readouterr().err
