import json
import os
import re
import shutil

import numpy as np
import pytest

from keras_seq2seq import metrics
from keras_seq2seq import tasks
from keras_seq2seq.cli import main
from keras_seq2seq.cli.outputs import write_outputs
from keras_seq2seq.data import ParallelCorpus
from keras_seq2seq.search import GreedySearch
from keras_seq2seq.tasks import Hypothesis

PAIRS = [("ab", "A B"), ("b", "B"), ("b", "B B"), ("ba", "B A"), ("a", "A")]


def make_task(folder, seed, corpus=PAIRS):
    task = tasks.TextToText.from_corpus(
        corpus,
        "luong_2015",
        units=6,
        embedding_dim=4,
        target_tokenizer="symbol",
        search=GreedySearch(max_length=5),
    )
    draws = np.random.default_rng(seed)
    weights = task.model.get_weights()
    task.model.set_weights([draws.normal(size=x.shape) for x in weights])
    task.save(folder)
    return str(folder)


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    folder = tmp_path_factory.mktemp("evaluate")
    text = "".join(f"{source}\t{target}\n" for source, target in PAIRS)
    (folder / "pairs.tsv").write_text(text, encoding="utf-8")
    more = [*PAIRS, ("c", "C")]  # another vocabulary
    return (
        make_task(folder / "first", 1),
        make_task(folder / "second", 2, more),
        str(folder / "pairs.tsv"),
    )


@pytest.mark.eager
def test_against(folders, capsys):
    first, second, pairs = folders
    command = ["evaluate", first, pairs, "--against", second]
    more = ["--metrics", "per", "exact_match", "chrf", "--samples", "200"]
    assert main.run([*command, *more]) == 0
    lines = capsys.readouterr().out.splitlines()
    head = ["metric", first, "95 % interval", second, "95 % interval", "p"]
    assert re.split("  +", lines[0]) == head
    corpus = ParallelCorpus.from_pairs(PAIRS)
    generated = [
        tasks.load(x).generate(corpus.sources) for x in (first, second)
    ]
    references = [[text.split() for text in x] for x in corpus.references]
    systems = [[text.split() for text in x] for x in generated]
    for line, name, arguments in (
        (lines[1], "per", (references, *systems)),
        (lines[2], "exact_match", (corpus.references, *generated)),
        (lines[3], "chrf", (corpus.references, *generated)),
    ):
        found = metrics.paired_bootstrap(
            *arguments, metric=name, num_samples=200
        )
        factor = 1 if name == "chrf" else 100
        cells = line.split()
        assert cells[0] == name.upper()
        assert cells[1] == f"{factor * found.baseline:.2f}"
        assert cells[2] == f"{factor * found.baseline_interval[0]:.2f}"
        assert cells[5] == f"{factor * found.other:.2f}"
        assert cells[-1] == f"{found.p_value:.4f}"
    assert lines[4] == found.baseline.signature
    assert lines[5] == "200 samples, seed 12345"
    assert lines[6].startswith("4 sources in ")


@pytest.mark.eager
def test_against_needs_texts(folders, capsys):
    first, second, pairs = folders
    command = ["evaluate", first, pairs, "--against", second]
    assert main.run([*command, "--metrics", "perplexity"]) == 2
    assert "Received: --metrics perplexity" in capsys.readouterr().err


@pytest.mark.eager
def test_output(folders, tmp_path, capsys):
    first, second, pairs = folders
    path = str(tmp_path / "out.tsv")
    assert main.run(["evaluate", first, pairs, "--output", path]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == path
    with open(path, encoding="utf-8") as file:
        header, *rows = (line[:-1].split("\t") for line in file)
    assert header == ["source", "hypothesis", "score", *["reference"] * 2]
    task = tasks.load(first)
    answers = [x[0] for x in task.generate(["ab", "b"], n_best=1)]
    for row, source, best, references in zip(
        rows, ["ab", "b"], answers, [["A B"], ["B", "B B"]]
    ):
        assert row == [source, best.text, f"{best.score:.4f}", *references]
    assert len(rows) == 4

    path = str(tmp_path / "out.jsonl")
    more = ["--against", second, "--output", path, "--limit", "2"]
    assert main.run(["evaluate", first, pairs, *more]) == 0
    with open(path, encoding="utf-8") as file:
        found = [json.loads(line) for line in file]
    assert [row["source"] for row in found] == ["ab", "b"]
    assert [row["hypothesis"] for row in found] == [x.text for x in answers]
    assert found[1]["references"] == ["B", "B B"]
    others = tasks.load(second).generate(["ab", "b"])
    assert [row["other_hypothesis"] for row in found] == others


def test_output_is_one_line_for_a_source(tmp_path):
    path = tmp_path / "out.tsv"
    corpus = ParallelCorpus(["a\tb"], [["c\r\nd", "é\u2028"]])
    write_outputs(path, corpus, [[Hypothesis("x\ny", -0.5, ["x"])]])
    lines = path.read_bytes().decode("utf-8").split("\n")
    assert lines[1:] == ["a b\tx y\t-0.5000\tc  d\té\u2028", ""]


def test_output_that_cannot_be(folders, tmp_path, capsys):
    first, _, pairs = folders
    for path, problem in (
        (tmp_path, "is a folder"),
        (tmp_path / "none" / "x.tsv", "has no parent folder"),
    ):
        command = ["evaluate", first, pairs, "--output", str(path)]
        assert main.run(command) == 2
        assert problem in capsys.readouterr().err


def test_metrics_are_added_to_the_card(folders, tmp_path, capsys):
    first, second, pairs = folders
    folder = tmp_path / "task"
    shutil.copytree(first, folder)
    before = {x: x.read_bytes() for x in folder.iterdir()}
    for more in ([], ["--limit", "2"], ["--metrics", "perplexity"], []):
        assert main.run(["evaluate", str(folder), pairs, *more]) == 0
        assert f"Recorded in {folder}/card.json" in capsys.readouterr().out
    card = tasks.load(folder).card
    assert [
        (entry["data"], [*entry["metrics"]]) for entry in card.evaluations
    ] == [
        ({**counts, "corpus": "pairs.tsv"}, names)
        for counts, names in (
            ({"sources": 2, "references": 3}, ["per", "wer"]),
            ({"sources": 4, "references": 5}, ["perplexity"]),
            ({"sources": 4, "references": 5}, ["per", "wer"]),
        )
    ]
    text = (folder / "README.md").read_text()
    assert " | 4 sources, 5 references, pairs.tsv | " in text
    for path, content in before.items():
        if path.name not in ("card.json", "README.md"):
            assert path.read_bytes() == content
    assert [*tmp_path.iterdir()] == [folder]
    assert before.keys() == {*folder.iterdir()}

    (folder / "README.md").write_text("my own words")
    assert main.run(["evaluate", str(folder), pairs, "--limit", "1"]) == 0
    assert len(tasks.load(folder).card.evaluations) == 4
    assert (folder / "README.md").read_text() == "my own words"


@pytest.mark.parametrize("reason", ["no card", "another", "no space", "gone"])
def test_folders_whose_card_stays(
    folders, tmp_path, monkeypatch, capsys, reason
):
    first, second, pairs = folders
    folder = tmp_path / "task"
    shutil.copytree(first, folder)
    card = second if reason == "another" else first
    card = tasks.load(card).card
    if reason == "no card":
        (folder / "card.json").unlink()
        card = tasks.ModelCard()
    evaluate = tasks.TextToText.evaluate

    def meanwhile(task, *args, **kwargs):
        found = evaluate(task, *args, **kwargs)
        if reason == "another":
            shutil.rmtree(folder)
            shutil.copytree(second, folder)
        if reason == "no space":
            monkeypatch.setattr(os, "replace", no_space)
        if reason == "gone":
            shutil.rmtree(folder)
        return found

    def no_space(*_):
        raise OSError("No space left on device")

    monkeypatch.setattr(tasks.TextToText, "evaluate", meanwhile)
    assert main.run(["evaluate", str(folder), pairs]) == 0
    output = capsys.readouterr()
    assert "WER " in output.out and "Recorded" not in output.out
    assert not output.err
    monkeypatch.undo()
    if reason != "gone":
        assert tasks.load(folder).card == card
        assert (folder / "card.json").exists() == (reason != "no card")


def test_the_dictionary_or_files(folders, capsys):
    files = ["--source", "a", "--target", "b"]
    assert main.run(["evaluate", folders[0], "cmudict", *files]) == 2
    assert "Pairs must be in `corpus`, one" in capsys.readouterr().err
