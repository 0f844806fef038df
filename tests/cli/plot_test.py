import json
import re

import pytest

from keras_seq2seq import plots
from keras_seq2seq import tasks
from keras_seq2seq.cli import main

pytestmark = pytest.mark.eager


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    task = tasks.TextToText.from_corpus(
        [("ab", "A B"), ("ba", "B A")],
        "luong_2015",
        units=4,
        embedding_dim=3,
        target_tokenizer="symbol",
    )
    folder = tmp_path_factory.mktemp("plot") / "task"
    task.save(folder)
    return str(folder)


def read(path):
    text = path.read_text(encoding="utf-8")
    return json.loads(re.search(r'id="data">(.*?)</script>', text)[1])


def test_page_of_a_file(folder, tmp_path, capsys):
    (tmp_path / "texts.txt").write_text("ab\nba\nb\n")
    path = tmp_path / "page.html"
    more = ["--file", str(tmp_path / "texts.txt"), "--n-best", "2"]
    assert main.run(["plot", folder, *more, "--out", str(path)]) == 0
    assert capsys.readouterr().out == f"{path}\n"
    found = tasks.load(folder).generate(["ab", "ba", "b"], n_best=2)
    sentences = read(path)
    assert [x["source"] for x in sentences] == [["a", "b"], ["b", "a"], ["b"]]
    for sentence, hypotheses in zip(sentences, found):
        texts = [x["text"] for x in sentence["hypotheses"]]
        assert texts == [best.text for best in hypotheses]


def test_words_of_subwords(folder, tmp_path, monkeypatch):
    asked = []

    def join(task, text, best):
        asked.append(text)
        return ["word"], type(best)("x", -1.0, ["x"], [[1.0]])

    monkeypatch.setattr(plots, "join_subwords", join)
    path = tmp_path / "page.HTML"
    command = ["plot", folder, "ab", "ba", "--out", str(path)]
    assert main.run([*command, "--join-subwords", "--n-best", "1"]) == 0
    assert asked == ["ab", "ba"]
    assert [x["source"] for x in read(path)] == [["word"]] * 2


def test_errors(folder, tmp_path, capsys):
    for texts in ([], ["ab", "ba"]):
        assert main.run(["plot", folder, *texts, "--out", "x.png"]) == 2
        problem = f"Received: {len(texts)} texts, and --out x.png"
        assert problem in capsys.readouterr().err
    out = str(tmp_path / "none" / "x.html")
    assert main.run(["plot", folder, "ab", "--out", out]) == 2
    assert "has no parent folder" in capsys.readouterr().err
